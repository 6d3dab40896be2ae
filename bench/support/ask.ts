import { once } from "node:events";
import { type Agent, type IncomingMessage, request } from "node:http";
import { systemCode } from "@/lib/server/ingest/input-error";
import type { App } from "../../e2e/support/server";

/**
 * Asks and takes the whole answer; milliseconds until its end. A client of `node:http`: the machine is to be busy with the server,
 * not with who asks.
 */
export async function ask(app: App, agent: Agent, path: string, body?: object): Promise<number> {
  const started = performance.now();
  const answer = await answered(app, agent, path, body);
  if (answer?.statusCode !== 200) throw new Error(`${path}: ${answer?.statusCode}`);
  answer.resume();
  await once(answer, "end");
  return performance.now() - started;
}

/** Where the server closed an idle connection at the moment of asking it is asked again, as every browser does. */
async function answered(app: App, agent: Agent, path: string, body?: object): Promise<IncomingMessage | undefined> {
  const asking = request(`${app.origin}${path}`, { agent, method: body === undefined ? "GET" : "POST" });
  asking.end(body === undefined ? undefined : JSON.stringify(body));
  try {
    const [answer]: IncomingMessage[] = await once(asking, "response");
    return answer;
  } catch (error) {
    if (!asking.reusedSocket || systemCode(error) !== "ECONNRESET") throw error;
    return answered(app, agent, path, body);
  }
}
