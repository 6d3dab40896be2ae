import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { LRUCache } from "lru-cache";
import { Piscina } from "piscina";
import type { AdviceTask, Adviser } from "@/lib/core/advice/adviser";
import type { OwnSource } from "@/lib/sandbox/own-policy";
import { addWork } from "../base/counters";
import { digest } from "../base/digest";
import { InputError, systemCode } from "../base/input-error";
import { neverReturned, OWN_LIMITS, PolicyWatch } from "../policies/policy-watch";
import type { AnswerPriority } from "./answer-priority";
import { errorOf } from "./bad-choice";
import {
  type Answer,
  type Input,
  type PostedAnswer,
  type PostedTask,
  SCHEDULING,
  type TaskName,
  type TaskRunner,
  type Threads,
} from "./tasks";

/** Maximum time for a thread to load its modules before it is ended anyway. */
const LOADING_MS = 5000;
/** Maximum memory of one thread: a file that needs more ends the thread, but not the server. */
const THREAD_HEAP_MB = 2048;
/**
 * The young generation of a thread that reads for the list, whole files or beginnings: a file's records live for moments, and V8's default size only
 * holds more garbage.
 */
const READER_YOUNG_MB = 24;
/** Idle threads end after this time. */
const IDLE_MS = 60_000;
/** Idle time of threads with growing files: their knowledge of these files ends with them. */
const READER_IDLE_MS = 600_000;
/** Maximum files with a remembered thread. */
const REMEMBERED_FILES = 1000;
/**
 * Added niceness of background threads: the default of the command `nice`, which leaves them a tenth of the processor's time under load. On Linux
 * niceness belongs to a thread. On other systems it would apply to the whole program, so background work leaves one core free instead.
 */
const BACKGROUND_NICE = 10;

/** A set of threads: for short work, for long work, or a single one for files. */
type PoolName = "moments" | "long" | `reader ${number}`;

export interface PoolOptions {
  /** Maximum threads that read, count and replay; there are as many again for short work. */
  readonly threads?: number;
  /** True for background work: its threads yield to all others on the machine, and end when idle. */
  readonly background?: boolean;
  /** Client requests to which its threads yield between two replays of a sweep. */
  readonly answerPriority?: AnswerPriority;
  /** Users' policies that a task may name: its thread receives their sources. */
  readonly policies?: () => readonly OwnSource[];
  /** Maximum milliseconds of one of them for a replay. */
  readonly policyMs?: number;
}

/** Runs tasks in worker threads. Short work on a known file has separate threads, so that it never waits for a large file. */
export class PoolRunner implements TaskRunner {
  readonly #root: string;
  readonly #options: PoolOptions;
  readonly #pools = new Map<PoolName, Piscina>();
  /** Number of unfinished tasks per pool. */
  readonly #waiting = new Map<PoolName, number>();
  /** The last thread of each file. */
  readonly #readers = new LRUCache<string, PoolName>({ max: REMEMBERED_FILES });
  readonly #threadsSeen = new WeakSet<Worker>();
  /** Threads that load their modules. */
  readonly #starting = new Map<Worker, Promise<void>>();

  /** @param root folder of the program, which contains `dist/worker.mjs` */
  constructor(root: string, options: PoolOptions = {}) {
    this.#root = root;
    this.#options = options;
  }

  /** True if nothing waits for a thread. */
  get idle(): boolean {
    return [...this.#pools.values()].every((pool) => pool.queueSize === 0);
  }

  /** Runs a task. If it names users' policies, its thread is ended if one never returns. */
  async run<Name extends TaskName>(name: Name, input: Input<Name>, signal?: AbortSignal): Promise<Answer<Name>> {
    const scheduling = SCHEDULING[name];
    const poolName = this.#poolNameOf(scheduling?.threads?.(input, this.#options.background === true) ?? "long");
    const sources = this.#own(scheduling?.policies?.(input) ?? []);
    if (sources.length === 0) return this.#post({ name, input }, poolName, signal);
    const { policyMs: ms = OWN_LIMITS.ms } = this.#options;
    const watch = new PolicyWatch(ms);
    try {
      const own = { sources, ms, watch: watch.memory };
      const either = signal === undefined ? watch.signal : AbortSignal.any([signal, watch.signal]);
      return await this.#post({ name, input, own }, poolName, either);
    } catch (error) {
      throw watch.signal.aborted ? neverReturned(sources, ms) : error;
    } finally {
      watch.stop();
    }
  }

  /** Resamples sessions while a caller waits for it: afterwards its thread is ended. */
  adviser(signal?: AbortSignal): Adviser {
    // The kind decides the answer's type.
    const run = <Found>(task: AdviceTask) => this.run("advice", task, signal) as Promise<Found>;
    return {
      settings: (columns, seed) => run({ kind: "settings", sets: columns, seed }),
      changes: (columns, seed) => run({ kind: "changes", sets: columns, seed }),
    };
  }

  runsApart(policies: readonly string[]): boolean {
    return this.#own(policies).length > 0;
  }

  /** A digest of the users' policies among some policies, as a part of cache keys. Empty if there are none. */
  codeOf(policies: readonly string[]): string {
    const sources = this.#own(policies);
    return sources.length === 0 ? "" : digest(JSON.stringify(sources));
  }

  #own(policies: readonly string[]): readonly OwnSource[] {
    return this.#options.policies?.().filter(({ id }) => policies.includes(id)) ?? [];
  }

  /** Ends the threads at once: they hold nothing that could be lost. */
  async close(): Promise<void> {
    // Node 20 crashes if a thread is ended while it loads its modules.
    await Promise.race([Promise.all(this.#starting.values()), delay(LOADING_MS, undefined, { ref: false })]);
    for (const pool of this.#pools.values()) {
      // A late answer finds no task any more. Piscina reports that as an error, which would end the program without a listener.
      pool.on("error", () => undefined);
      await pool.destroy();
    }
  }

  #poolNameOf(threads: Threads): PoolName {
    if (threads === "any reader") return this.#idlestReader();
    if (typeof threads === "string") return threads;
    const reader = this.#readers.get(threads.readerOf) ?? this.#idlestReader();
    this.#readers.set(threads.readerOf, reader);
    return reader;
  }

  #idlestReader(): PoolName {
    const readers = Array.from({ length: this.#threads }, (_, index): PoolName => `reader ${index}`);
    const waiting = (poolName: PoolName) => this.#waiting.get(poolName) ?? 0;
    return readers.reduce((best, one) => (waiting(one) < waiting(best) ? one : best));
  }

  get #threads(): number {
    const { background = false } = this.#options;
    return this.#options.threads ?? defaultThreads(background && process.platform !== "linux" ? 1 : 0);
  }

  /** The threads for a kind of work, started on first use. */
  #pool(poolName: PoolName): Piscina {
    const { background = false } = this.#options;
    const givesWay = background && process.platform === "linux";
    const isReader = poolName.startsWith("reader");
    const pool =
      this.#pools.get(poolName) ??
      new Piscina({
        filename: join(this.#root, "dist", "worker.mjs"),
        minThreads: background || isReader ? 0 : 1,
        maxThreads: isReader ? 1 : this.#threads,
        idleTimeout: isReader ? READER_IDLE_MS : IDLE_MS,
        workerData: this.#options.answerPriority?.memory,
        resourceLimits: {
          maxOldGenerationSizeMb: THREAD_HEAP_MB,
          ...(isReader ? { maxYoungGenerationSizeMb: READER_YOUNG_MB } : {}),
        },
        niceIncrement: givesWay ? BACKGROUND_NICE : 0,
      });
    this.#pools.set(poolName, pool);
    return pool;
  }

  #noteStart(thread: Worker): void {
    if (this.#threadsSeen.has(thread)) return;
    this.#threadsSeen.add(thread);
    this.#starting.set(
      thread,
      started(thread).finally(() => this.#starting.delete(thread)),
    );
  }

  async #post<Name extends TaskName>(
    task: PostedTask<Name>,
    poolName: PoolName,
    signal?: AbortSignal,
  ): Promise<Answer<Name>> {
    const pool = this.#pool(poolName);
    this.#waiting.set(poolName, (this.#waiting.get(poolName) ?? 0) + 1);
    const running = pool
      .run(task, signal === undefined ? { name: "work" } : { name: "work", signal })
      .finally(() => this.#waiting.set(poolName, (this.#waiting.get(poolName) ?? 1) - 1));
    for (const thread of pool.threads) this.#noteStart(thread);
    const answer: PostedAnswer<Name> = await running.catch(rethrowExplained);
    addWork(answer.work);
    const { refusal } = answer;
    if (refusal !== undefined) throw new InputError(refusal.code, refusal.message, refusal.formats, refusal.program);
    if (answer.badChoice !== undefined) throw errorOf(answer.badChoice);
    // worker.ts sets one of the three, so there is a value.
    return answer.value as Answer<Name>;
  }
}

/** Resolves when the thread has sent its first message, or has ended. */
function started(thread: Worker): Promise<void> {
  return new Promise((resolve) => {
    thread.once("message", () => resolve());
    thread.once("exit", () => resolve());
  });
}

/** A thread that ran out of memory was ended; the file is at fault, not the server. */
function rethrowExplained(error: unknown): never {
  if (systemCode(error) !== "ERR_WORKER_OUT_OF_MEMORY") throw error;
  throw new InputError(
    "unreadable",
    `The file takes more memory to read than a thread may use (${THREAD_HEAP_MB} MiB).`,
  );
}

/**
 * Two threads, or one on a machine with one core.
 * @param left number of cores to leave free
 */
function defaultThreads(left: number): number {
  return Math.max(1, Math.min(2, availableParallelism() - left));
}
