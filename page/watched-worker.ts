import type { TimeLimit } from "./node/vm";
import type { FromWorker, ToWorker } from "./worker";

type WithoutId<Message> = Message extends unknown ? Omit<Message, "id"> : never;
/** A question, or a file, as it is sent to the worker. */
export type Asked = WithoutId<ToWorker>;

/** The most milliseconds that one step may take which only this page can end, whatever the worker allows itself. */
const MOST_MS = 10_000;

/**
 * The worker that reads files and answers. Where it does not come back from a step, it is ended: what was asked is answered with the reason, and a new one is
 * started with the files that were handed over, but for the one that was asked about.
 */
export class WatchedWorker {
  readonly #start: () => Promise<Worker>;
  readonly #mostMs: number;
  readonly #files = new Map<string, File>();
  readonly #waiting = new Map<number, { readonly asked: Asked; readonly resolve: (message: FromWorker) => void }>();
  #last = 0;
  #running: Promise<Worker> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param start makes the worker */
  constructor(start: () => Promise<Worker>, mostMs = MOST_MS) {
    this.#start = start;
    this.#mostMs = mostMs;
  }

  ask(asked: Asked): Promise<FromWorker> {
    if ("file" in asked) this.#files.set(asked.file.name, asked.file);
    const id = ++this.#last;
    return new Promise((resolve) => {
      this.#waiting.set(id, { asked, resolve });
      void this.#worker().then((worker) => worker.postMessage({ id, ...asked } satisfies ToWorker));
    });
  }

  #worker(): Promise<Worker> {
    this.#running ??= this.#start().then((worker) => {
      worker.addEventListener("message", ({ data }: MessageEvent<FromWorker | TimeLimit>) => {
        if ("within" in data) this.#watch(worker, data.within);
        else this.#answer(data);
      });
      return worker;
    });
    return this.#running;
  }

  #answer(message: FromWorker): void {
    this.#waiting.get(message.id)?.resolve(message);
    this.#waiting.delete(message.id);
  }

  #watch(worker: Worker, within: number | null): void {
    clearTimeout(this.#timer);
    if (within !== null) this.#timer = setTimeout(() => this.#end(worker), Math.min(within, this.#mostMs));
  }

  /** Ends a worker that is at a step which has no end. */
  #end(worker: Worker): void {
    worker.terminate();
    this.#running = undefined;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    const names = new Set(waiting.flatMap(([, { asked }]) => nameOf(asked)));
    for (const name of names) this.#files.delete(name);
    // A new worker has none of the files.
    for (const file of this.#files.values()) void this.ask({ file });
    const seconds = this.#mostMs / 1000;
    for (const [id, { asked, resolve }] of waiting) {
      const [name = "The file"] = nameOf(asked);
      resolve(refusal(id, `${name} is damaged: unpacking it took longer than ${seconds} s, and was stopped.`));
    }
  }
}

/** The file that a question is about. */
function nameOf(asked: Asked): readonly string[] {
  if ("file" in asked) return [asked.file.name];
  const [, id] = /^\/api\/sessions\/([^/?]+)/.exec(asked.path) ?? [];
  return id === undefined ? [] : [decodeURIComponent(id)];
}

function refusal(id: number, detail: string): FromWorker {
  const problem = { type: "about:blank", title: "Not possible", status: 422, detail };
  const body = new TextEncoder().encode(JSON.stringify(problem));
  return { id, status: 422, headers: { "Content-Type": "application/problem+json" }, body };
}
