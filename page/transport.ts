import type { Transport } from "@/lib/api/transport";
import { unpackedUrl } from "./unpacked";
import type { FromWorker, ToWorker } from "./worker";

const waiting = new Map<number, (message: FromWorker) => void>();
let last = 0;
let running: Promise<Worker> | undefined;

/** The worker that reads files and answers, made from this page's own text: no request leaves the page. */
function worker(): Promise<Worker> {
  running ??= unpackedUrl("worker").then((url) => {
    const made = new Worker(url);
    made.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
      waiting.get(data.id)?.(data);
      waiting.delete(data.id);
    });
    return made;
  });
  return running;
}

type WithoutId<Message> = Message extends unknown ? Omit<Message, "id"> : never;

function asked(message: WithoutId<ToWorker>): Promise<FromWorker> {
  const id = ++last;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    void worker().then((one) => one.postMessage({ id, ...message }));
  });
}

/** Hands a file over; the promise tells the id of its session. */
export async function handOver(file: File): Promise<string> {
  const { body } = await asked({ file });
  return (JSON.parse(new TextDecoder().decode(body)) as { readonly id: string }).id; // the worker's own answer
}

/** Asks the worker. */
export const answerLocally: Transport = async (path, { method = "GET", body }) => {
  const answer = await asked({ path, method, body: typeof body === "string" ? body : null });
  const hasBody = answer.status !== 204;
  return new Response(hasBody ? answer.body : null, { status: answer.status, headers: answer.headers });
};
