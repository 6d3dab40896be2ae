import { setTimeout as delay } from "node:timers/promises";
import type { JobQueue } from "./job-queue";
import type { JobHandlers, JobKind } from "./jobs";
import { packedOutcome } from "./packed-result";

/** Delay before the next check of an empty queue. */
const IDLE_MS = 250;
/** Delay after a failed database query. */
const RETRY_MS = 2000;

export interface WorkerOptions {
  /** Maximum parallel jobs. */
  readonly atOnce: number;
  /** Resolves when the next job may start. */
  readonly mayBegin?: () => Promise<void>;
  /** Is called for every finished job. */
  readonly onDone?: () => void;
}

/** Runs the jobs of a queue until it is closed. */
export class JobWorker {
  readonly #queue: JobQueue;
  readonly #handlers: Partial<JobHandlers>;
  readonly #options: WorkerOptions;
  readonly #ended = new AbortController();
  readonly #loops: readonly Promise<void>[];

  /** @param handlers by job kind */
  constructor(queue: JobQueue, handlers: Partial<JobHandlers>, options: WorkerOptions) {
    this.#queue = queue;
    this.#handlers = handlers;
    this.#options = options;
    this.#loops = Array.from({ length: options.atOnce }, () => this.#work());
  }

  /** Starts no further job; resolves when running ones are done, or returned to the queue after the delay. @param patienceMs that delay */
  async close(patienceMs = 0): Promise<void> {
    this.#ended.abort();
    await Promise.race([Promise.all(this.#loops), delay(patienceMs, undefined, { ref: false })]);
    await Promise.all([...this.#running.entries()].map(([id, kind]) => this.#queue.giveBack(kind, id).catch(ignored)));
  }

  readonly #running = new Map<string, JobKind>();

  async #work(): Promise<void> {
    // The constructor must finish first.
    await Promise.resolve();
    const { signal } = this.#ended;
    const kinds = Object.keys(this.#handlers) as JobKind[]; // The type of `JobHandlers`.
    while (!signal.aborted) {
      await this.#options.mayBegin?.();
      let wait = IDLE_MS;
      for (const kind of kinds) {
        const did = await this.#next(kind).catch(() => undefined);
        if (did === undefined) wait = RETRY_MS;
        else if (did) wait = 0;
      }
      if (wait > 0) await delay(wait, undefined, { signal, ref: false }).catch(ignored);
    }
  }

  /** Takes a job and runs it. Returns true if there was one. */
  async #next(kind: JobKind): Promise<boolean> {
    if (this.#ended.signal.aborted) return false;
    const job = await this.#queue.take(kind);
    if (job === undefined) return false;
    this.#running.set(job.id, kind);
    const pulse = setInterval(() => void this.#queue.heartbeat(kind, job.id).catch(ignored), job.pulseMs);
    pulse.unref();
    try {
      // A job of this kind was added with a task of this kind.
      const work = this.#handlers[kind] as (task: object) => Promise<unknown>;
      await this.#queue.complete(kind, job.id, await packedOutcome(() => work(job.task)));
      this.#options.onDone?.();
    } catch {
      // A bug of this program, or the end of a thread: the job is retried a few times.
      await this.#queue.giveBack(kind, job.id);
    } finally {
      clearInterval(pulse);
      this.#running.delete(job.id);
    }
    return true;
  }
}

function ignored(): void {
  // A lost message is sent again, or the database detects it by itself.
}
