import { once } from "node:events";
import { type Agent, type IncomingMessage, request } from "node:http";
import type { App } from "../../e2e/support/server";

/**
 * Asks and takes the whole answer; milliseconds until its end. A client of `node:http`: the machine is to be busy with the server,
 * not with who asks.
 */
export async function ask(app: App, agent: Agent, path: string, body?: object): Promise<number> {
  const started = performance.now();
  const method = body === undefined ? "GET" : "POST";
  const asking = request(`${app.origin}${path}`, { agent, method });
  asking.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer]: IncomingMessage[] = await once(asking, "response");
  if (answer?.statusCode !== 200) throw new Error(`${path}: ${answer?.statusCode}`);
  answer.resume();
  await once(answer, "end");
  return performance.now() - started;
}
