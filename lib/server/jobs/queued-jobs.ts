import { setMaxListeners } from "node:events";
import type { JobQueue, JobStatus } from "./job-queue";
import type { JobKind, JobKinds, Jobs } from "./jobs";
import { unpackedResult } from "./packed-result";

/** Interval between checks for finished jobs. */
const CHECK_MS = 200;
/** Minimum interval between checks for lost jobs. */
const REQUEUE_MS = 2000;
/** Enough to keep several workers busy while results are on their way. */
const AT_ONCE = 48;

interface Waiting {
  readonly kind: JobKind;
  readonly task: object;
  readonly resolve: (output: { readonly packed: string }) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs jobs through a queue that several processes share. */
export class QueuedJobs implements Jobs {
  readonly atOnce = AT_ONCE;
  readonly #queue: JobQueue;
  readonly #waiting = new Map<string, Set<Waiting>>();
  #looking: NodeJS.Timeout | undefined;
  #requeuedAt = 0;
  #closed = false;

  constructor(queue: JobQueue) {
    this.#queue = queue;
  }

  async run<Kind extends JobKind>(
    kind: Kind,
    task: JobKinds[Kind]["task"],
    signal?: AbortSignal,
  ): Promise<JobKinds[Kind]["result"]> {
    signal?.throwIfAborted();
    const id = await this.#queue.add(kind, task);
    const output = await this.#output(id, { kind, task }, signal);
    // A job of this kind has a result of this kind.
    return unpackedResult(output) as JobKinds[Kind]["result"];
  }

  /** Stops waiting; added jobs still run, and their results are found by later callers. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#looking);
    for (const all of this.#waiting.values()) for (const one of all) one.reject(new Error("the jobs are closed"));
    this.#waiting.clear();
  }

  #output(id: string, job: Pick<Waiting, "kind" | "task">, signal?: AbortSignal): Promise<{ readonly packed: string }> {
    const all = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, all);
    let withdraw = () => {};
    const output = new Promise<{ readonly packed: string }>((resolve, reject) => {
      const one = { ...job, resolve, reject };
      all.add(one);
      withdraw = () => {
        // After the answer, other callers may wait for the same job.
        if (!all.delete(one)) return;
        reject(signal?.reason);
        if (all.size > 0 || this.#closed) return;
        this.#waiting.delete(id);
        void this.#queue.cancel(job.kind, id).catch(() => undefined); // If this fails, the job runs without a caller.
      };
    });
    // It may have been cancelled while it was being added.
    if (signal?.aborted) withdraw();
    else this.#lookLater();
    if (signal === undefined) return output;
    // One signal may cancel thousands of jobs, all of them awaited.
    setMaxListeners(0, signal);
    signal.addEventListener("abort", withdraw);
    return output.finally(() => signal.removeEventListener("abort", withdraw));
  }

  #lookLater(): void {
    if (this.#closed || this.#waiting.size === 0) return;
    this.#looking ??= setTimeout(async () => {
      // The database may recover.
      await this.#look().catch(() => undefined);
      this.#looking = undefined;
      this.#lookLater();
    }, CHECK_MS);
  }

  async #look(): Promise<void> {
    if (Date.now() - this.#requeuedAt >= REQUEUE_MS) {
      this.#requeuedAt = Date.now();
      await this.#queue.requeueLost();
    }
    const ids = new Map<JobKind, string[]>();
    for (const [id, [one]] of this.#waiting)
      if (one !== undefined) ids.set(one.kind, [...(ids.get(one.kind) ?? []), id]);
    for (const [kind, asked] of ids) {
      const statuses = new Map((await this.#queue.statuses(kind, asked)).map((one) => [one.id, one]));
      for (const id of asked) await this.#settle(id, statuses.get(id));
    }
  }

  async #settle(id: string, status: JobStatus | undefined): Promise<void> {
    const all = this.#waiting.get(id);
    const [first] = all ?? [];
    if (all === undefined || first === undefined) return;
    // Its result was discarded, or another caller cancelled it.
    if (status === undefined || status.state === "cancelled")
      return void (await this.#queue.add(first.kind, first.task));
    const { state, output } = status;
    if (state !== "completed" && state !== "failed") return;
    this.#waiting.delete(id);
    for (const one of all) {
      if (state === "completed" && output?.packed !== undefined) one.resolve({ packed: output.packed });
      else one.reject(new Error("the job failed wherever it was tried"));
    }
    all.clear();
  }
}
