import { once } from "node:events";
import { type Agent, type IncomingMessage, request } from "node:http";
import { systemCode } from "@/lib/server/base/input-error";
import type { App } from "../../e2e/support/server";

/**
 * Sends a request, reads the whole answer and returns the milliseconds until its end. Uses `node:http`, so that the machine spends its time
 * on the server, not on the client.
 */
export async function ask(app: App, agent: Agent, path: string, body?: object): Promise<number> {
  const started = performance.now();
  const answer = await answered(app, agent, path, body);
  if (answer?.statusCode !== 200) throw new Error(`${path}: ${answer?.statusCode}`);
  answer.resume();
  await once(answer, "end");
  return performance.now() - started;
}

/** Asks again, as every browser does, if the server closed the idle connection just as the request was sent. */
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
