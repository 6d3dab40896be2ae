import { setTimeout as delay } from "node:timers/promises";
import type { JobQueue } from "./job-queue";
import type { JobHandlers, JobKind } from "./jobs";
import { packedOutcome } from "./packed-result";

/** How long to wait before looking again where there was nothing to do. */
const IDLE_MS = 250;
/** How long to wait where the database did not answer. */
const AWAY_MS = 2000;

export interface WorkerOptions {
  /** How many jobs are done at a time. */
  readonly atOnce: number;
  /** Resolves when the next job may be begun. */
  readonly mayBegin?: () => Promise<void>;
  /** Is told of every job that was done. */
  readonly onDone?: () => void;
}

/** Does the jobs of a queue, one after the other, until it is closed. */
export class JobWorker {
  readonly #queue: JobQueue;
  readonly #handlers: Partial<JobHandlers>;
  readonly #options: WorkerOptions;
  readonly #ended = new AbortController();
  readonly #loops: readonly Promise<void>[];

  /** @param handlers of the kinds that it does */
  constructor(queue: JobQueue, handlers: Partial<JobHandlers>, options: WorkerOptions) {
    this.#queue = queue;
    this.#handlers = handlers;
    this.#options = options;
    this.#loops = Array.from({ length: options.atOnce }, () => this.#work());
  }

  /** Begins no further job; resolves when those under way are done, or given back if they are not by then. @param patienceMs how long they may take */
  async close(patienceMs = 0): Promise<void> {
    this.#ended.abort();
    await Promise.race([Promise.all(this.#loops), delay(patienceMs, undefined, { ref: false })]);
    await Promise.all([...this.#under.entries()].map(([id, kind]) => this.#queue.giveBack(kind, id).catch(ignored)));
  }

  /** The jobs under way, by id. */
  readonly #under = new Map<string, JobKind>();

  async #work(): Promise<void> {
    // The constructor is to be done first.
    await Promise.resolve();
    const { signal } = this.#ended;
    const kinds = Object.keys(this.#handlers) as JobKind[]; // as `JobHandlers` says
    while (!signal.aborted) {
      await this.#options.mayBegin?.();
      let wait = IDLE_MS;
      for (const kind of kinds) {
        const did = await this.#next(kind).catch(() => undefined);
        if (did === undefined) wait = AWAY_MS;
        else if (did) wait = 0;
      }
      if (wait > 0) await delay(wait, undefined, { signal, ref: false }).catch(ignored);
    }
  }

  /** Takes a job and does it. Returns whether there was one. */
  async #next(kind: JobKind): Promise<boolean> {
    if (this.#ended.signal.aborted) return false;
    const job = await this.#queue.take(kind);
    if (job === undefined) return false;
    this.#under.set(job.id, kind);
    const pulse = setInterval(() => void this.#queue.stillAt(kind, job.id).catch(ignored), job.pulseMs);
    pulse.unref();
    try {
      // A job of this kind was added with a task of this kind.
      const work = this.#handlers[kind] as (task: object) => Promise<unknown>;
      await this.#queue.complete(kind, job.id, await packedOutcome(() => work(job.task)));
      this.#options.onDone?.();
    } catch {
      // A bug of ours, or the end of a thread: it is tried again, a few times.
      await this.#queue.giveBack(kind, job.id);
    } finally {
      clearInterval(pulse);
      this.#under.delete(job.id);
    }
    return true;
  }
}

function ignored(): void {
  // What the database did not take now it is told again, or misses, and finds out by itself.
}
