import type { Transport } from "@/lib/api/transport";
import { unpackedUrl } from "./unpacked";
import { WatchedWorker } from "./watched-worker";

/** The worker that reads files and answers, made from this page's own text: no request leaves the page. */
const worker = new WatchedWorker(async () => new Worker(await unpackedUrl("worker")));

/** Hands a file over; the promise tells the id of its session. */
export async function handOver(file: File): Promise<string> {
  const { body } = await worker.ask({ file });
  return (JSON.parse(new TextDecoder().decode(body)) as { readonly id: string }).id; // the worker's own answer
}

/** Asks the worker. */
export const answerLocally: Transport = async (path, { method = "GET", body }) => {
  const answer = await worker.ask({ path, method, body: typeof body === "string" ? body : null });
  const hasBody = answer.status !== 204;
  return new Response(hasBody ? answer.body : null, { status: answer.status, headers: answer.headers });
};
