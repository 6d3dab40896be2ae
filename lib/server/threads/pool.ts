import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { LRUCache } from "lru-cache";
import { Piscina } from "piscina";
import type { StoredSession } from "@/lib/agents/session-database";
import type { AdviceTask, Adviser } from "@/lib/core/advice/adviser";
import type { Ledger } from "@/lib/core/needs/ledger";
import type { CheckedInvariant } from "@/lib/policy-check/check-policy";
import type { WrittenPoints } from "@/lib/questions/replays/swept-rows";
import type { OwnSource } from "@/lib/sandbox/own-policy";
import { addWork } from "../base/counters";
import { InputError, systemCode } from "../base/input-error";
import { digest } from "../list/files/sources";
import { neverBack, OWN_LIMITS, PolicyWatch } from "../policies/policy-watch";
import type { HeadFacts } from "../read/head";
import type { MeasuresByPolicy } from "../read/numbers/measures";
import { mayGrow } from "../read/source-file";
import type { ContextTexts } from "../read/texts/context-messages";
import type { FoundRows } from "../read/texts/text-search";
import type { WorkerAnswer } from "../worker";
import { errorOf } from "./bad-choice";
import type { RightOfWay } from "./right-of-way";
import type {
  ContextTask,
  CountTask,
  DatabaseTask,
  HeadTask,
  IngestAnswer,
  IngestTask,
  ItemsTask,
  LedgerTask,
  MeasureTask,
  SearchTask,
  SessionQuestionTask,
  SweepTask,
  TaskRunner,
} from "./tasks";
import { policiesIn, type SessionReplays, type SessionReplaysTask } from "./tasks";

/** How long a thread may take to load its modules before it is ended all the same. */
const LOADING_MS = 5000;
/** The most memory of one thread: a file that needs more ends that thread, not the server. */
const THREAD_HEAP_MB = 2048;
/**
 * The young generation of a thread that reads for the list, whole files or beginnings: a file's records live for moments, and what V8 takes by default only makes room for more that is
 * dead already.
 */
const READER_YOUNG_MB = 24;
/** Idle threads end after this time. */
const IDLE_MS = 60_000;
/** Those that read files which may grow end later: what they know of these files ends with them. */
const READER_IDLE_MS = 600_000;
/** Of how many files it is remembered which thread has read them. */
const REMEMBERED_FILES = 1000;
/**
 * How much nicer the background's threads are than the others: what the command `nice` adds by default, which leaves a tenth of the processor's time
 * where somebody else wants it too. On Linux niceness belongs to a thread. Elsewhere it would apply to the whole program, so there the background
 * leaves a core to the others instead.
 */
const BACKGROUND_NICE = 10;

/** How long each task takes: moments, or longer the larger the file or the more points. */
const TASK_PACES = {
  head: "moments",
  items: "moments",
  search: "long",
  database: "long",
  ingest: "long",
  count: "long",
  measure: "long",
  ledger: "long",
  context: "long",
  sweep: "long",
  replays: "long",
  advice: "long",
  question: "long",
  checkPolicy: "long",
} as const satisfies Record<
  Exclude<keyof TaskRunner, "close" | "countAll"> | "replays" | "advice" | "checkPolicy",
  string
>;
type TaskName = keyof typeof TASK_PACES;
type Pace = (typeof TASK_PACES)[TaskName] | `reader ${number}`;

export interface PoolOptions {
  /** The most threads that read, count and replay; there are as many again for what takes moments. */
  readonly threads?: number;
  /** For work that nobody waits for: its threads yield to all others on the machine, and end when they have nothing to do. */
  readonly background?: boolean;
  /** The answers that its threads let go first, between two replays of a sweep. */
  readonly rightOfWay?: RightOfWay;
  /** Policies of somebody's own that a task may name: its thread is sent their sources. */
  readonly policies?: () => readonly OwnSource[];
  /** The most milliseconds that one of them may take for a replay. */
  readonly policyMs?: number;
}

/** Does the work in worker threads. Work that takes moments once a file was read has its own threads, so that it never waits for a large file. */
export class PoolRunner implements TaskRunner {
  readonly #root: string;
  readonly #options: PoolOptions;
  readonly #pools = new Map<Pace, Piscina>();
  /** How many tasks each pool was given that are not done. */
  readonly #waiting = new Map<Pace, number>();
  /** The threads that files were given to last. */
  readonly #readers = new LRUCache<string, Pace>({ max: REMEMBERED_FILES });
  readonly #threadsSeen = new WeakSet<Worker>();
  /** Threads that load their modules. */
  readonly #starting = new Map<Worker, Promise<void>>();

  /** @param root folder of the program, which contains `dist/worker.mjs` */
  constructor(root: string, options: PoolOptions = {}) {
    this.#root = root;
    this.#options = options;
  }

  /** Whether nothing waits for a thread. */
  get idle(): boolean {
    return [...this.#pools.values()].every((pool) => pool.queueSize === 0);
  }

  ingest(task: IngestTask): Promise<IngestAnswer> {
    const isListed = this.#options.background === true && task.summaryOnly === true && task.indexed !== undefined;
    return this.#run<IngestAnswer>(
      "ingest",
      task,
      this.#paceOf("ingest", isListed || task.growing === true, task.path),
    );
  }

  /** In the background by a thread that reads files: another thread would take some 40 MB for what takes a millisecond. */
  head(task: HeadTask): Promise<HeadFacts> {
    return this.#run<HeadFacts>("head", task, this.#options.background ? this.#idlestReader() : TASK_PACES.head);
  }

  database(task: DatabaseTask): Promise<readonly StoredSession[]> {
    return this.#run<readonly StoredSession[]>("database", task);
  }

  count(task: CountTask): Promise<Int32Array> {
    return this.#run<Int32Array>("count", task, this.#paceOf("count", mayGrow(task.version), task.path));
  }

  measure(task: MeasureTask): Promise<MeasuresByPolicy> {
    const pace = this.#paceOf("measure", mayGrow(task.version), task.path);
    return this.#run<MeasuresByPolicy>("measure", task, pace);
  }

  ledger(task: LedgerTask): Promise<Ledger> {
    return this.#run<Ledger>("ledger", task);
  }

  items(task: ItemsTask): Promise<Uint8Array<ArrayBuffer>> {
    // Looking for secrets takes longer than what is shown may wait for.
    return this.#run<Uint8Array<ArrayBuffer>>("items", task, task.masked === true ? "long" : TASK_PACES.items);
  }

  /** Always by the thread that has read the file: it holds the texts. */
  search(task: SearchTask): Promise<FoundRows> {
    return this.#run<FoundRows>("search", task, this.#paceOf("search", true, task.path));
  }

  context(task: ContextTask): Promise<ContextTexts> {
    return this.#run<ContextTexts>("context", task);
  }

  sweep(task: SweepTask): Promise<WrittenPoints> {
    return this.#withPolicies<WrittenPoints>("sweep", task, [task.plan.policy]);
  }

  /** Replays one session of many; it is read and counted by the same thread. Rejects with `InputError`, `ChoiceError` and `SettingError`. */
  replays(task: SessionReplaysTask, signal?: AbortSignal): Promise<SessionReplays> {
    return this.#withPolicies<SessionReplays>("replays", task, policiesIn(task.asked), signal);
  }

  /** Draws sessions again, for as long as somebody waits for it: then its thread is ended. */
  adviser(signal?: AbortSignal): Adviser {
    // The kind says which of the two an answer is.
    const asked = <Answer>(task: AdviceTask) => this.#run<Answer>("advice", task, TASK_PACES.advice, signal);
    return {
      settings: (columns, seed) => asked({ kind: "settings", asked: columns, seed }),
      changes: (columns, seed) => asked({ kind: "changes", asked: columns, seed }),
    };
  }

  question(policies: readonly string[], task: () => SessionQuestionTask): Promise<unknown> | undefined {
    if (this.#own(policies).length === 0) return undefined;
    return this.#withPolicies("question", task(), policies);
  }

  /** Tries on drawn sessions what has to hold for every policy. Rejects with `PolicyError`. */
  checkPolicy(policy: string, seed: number): Promise<readonly CheckedInvariant[]> {
    return this.#withPolicies<readonly CheckedInvariant[]>("checkPolicy", { policy, seed }, [policy]);
  }

  /** The code of those of some policies that are somebody's own, as one digest: what is kept of an answer follows from it. Empty where none is. */
  codeOf(policies: readonly string[]): string {
    const sources = this.#own(policies);
    return sources.length === 0 ? "" : digest(JSON.stringify(sources));
  }

  #own(policies: readonly string[]): readonly OwnSource[] {
    return this.#options.policies?.().filter(({ id }) => policies.includes(id)) ?? [];
  }

  /** Does a task that names policies. Where they are somebody's own, its thread is ended if one does not come back. */
  async #withPolicies<T>(name: TaskName, task: object, policies: readonly string[], signal?: AbortSignal): Promise<T> {
    const sources = this.#own(policies);
    if (sources.length === 0) return this.#run<T>(name, task, TASK_PACES[name], signal);
    const { policyMs: ms = OWN_LIMITS.ms } = this.#options;
    const watch = new PolicyWatch(ms);
    try {
      const own = { sources, ms, watch: watch.memory };
      const either = signal === undefined ? watch.signal : AbortSignal.any([signal, watch.signal]);
      return await this.#run<T>(name, { ...task, own }, TASK_PACES[name], either);
    } catch (error) {
      throw watch.signal.aborted ? neverBack(sources, ms) : error;
    } finally {
      watch.stop();
    }
  }

  /** Ends the threads whatever they do: they hold nothing that could be lost. */
  async close(): Promise<void> {
    // Node 20 crashes where a thread is ended while it loads its modules.
    await Promise.race([Promise.all(this.#starting.values()), delay(LOADING_MS, undefined, { ref: false })]);
    for (const pool of this.#pools.values()) {
      // An answer that is still on its way finds no task any more. Piscina reports that as an error, which would end the program if nobody listened.
      pool.on("error", () => undefined);
      await pool.destroy();
    }
  }

  /** @param grows whether the file goes to the one thread that has read it before, which knows where it ended */
  #paceOf(name: TaskName, grows: boolean, path: string): Pace {
    if (!grows) return TASK_PACES[name];
    const reader = this.#readers.get(path) ?? this.#idlestReader();
    this.#readers.set(path, reader);
    return reader;
  }

  #idlestReader(): Pace {
    const readers = Array.from({ length: this.#threads }, (_, index): Pace => `reader ${index}`);
    const waiting = (pace: Pace) => this.#waiting.get(pace) ?? 0;
    return readers.reduce((best, one) => (waiting(one) < waiting(best) ? one : best));
  }

  get #threads(): number {
    const { background = false } = this.#options;
    return this.#options.threads ?? defaultThreads(background && process.platform !== "linux" ? 1 : 0);
  }

  /** The threads for a pace, made when they are first needed. */
  #pool(pace: Pace): Piscina {
    const { background = false } = this.#options;
    const givesWay = background && process.platform === "linux";
    const isReader = pace.startsWith("reader");
    const pool =
      this.#pools.get(pace) ??
      new Piscina({
        filename: join(this.#root, "dist", "worker.mjs"),
        minThreads: background || isReader ? 0 : 1,
        maxThreads: isReader ? 1 : this.#threads,
        idleTimeout: isReader ? READER_IDLE_MS : IDLE_MS,
        workerData: this.#options.rightOfWay?.memory,
        resourceLimits: {
          maxOldGenerationSizeMb: THREAD_HEAP_MB,
          ...(isReader ? { maxYoungGenerationSizeMb: READER_YOUNG_MB } : {}),
        },
        niceIncrement: givesWay ? BACKGROUND_NICE : 0,
      });
    this.#pools.set(pace, pool);
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

  async #run<T>(name: TaskName, task: object, pace: Pace = TASK_PACES[name], signal?: AbortSignal): Promise<T> {
    const pool = this.#pool(pace);
    this.#waiting.set(pace, (this.#waiting.get(pace) ?? 0) + 1);
    const running = pool
      .run(task, signal === undefined ? { name } : { name, signal })
      .finally(() => this.#waiting.set(pace, (this.#waiting.get(pace) ?? 1) - 1));
    for (const thread of pool.threads) this.#noteStart(thread);
    const answer: WorkerAnswer<T> = await running.catch(rethrowExplained);
    addWork(answer.work);
    const { refusal } = answer;
    if (refusal !== undefined) throw new InputError(refusal.code, refusal.message, refusal.formats, refusal.program);
    if (answer.badChoice !== undefined) throw errorOf(answer.badChoice);
    // Without a refusal or a bad choice there is a value, since worker.ts sets one of the three.
    return answer.value as T;
  }
}

/** Resolves when the thread has sent its first message, or has ended. */
function started(thread: Worker): Promise<void> {
  return new Promise((resolve) => {
    thread.once("message", () => resolve());
    thread.once("exit", () => resolve());
  });
}

/** A thread that ran out of memory was ended; that is the fault of the file, not of the server. */
function rethrowExplained(error: unknown): never {
  if (systemCode(error) !== "ERR_WORKER_OUT_OF_MEMORY") throw error;
  throw new InputError(
    "unreadable",
    `The file takes more memory to read than a thread may use (${THREAD_HEAP_MB} MiB).`,
  );
}

/** Two threads, or one where the machine has one core. @param left number of cores that are left to others */
function defaultThreads(left: number): number {
  return Math.max(1, Math.min(2, availableParallelism() - left));
}
