import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Piscina } from "piscina";
import { SettingError } from "@/lib/core/compaction/settings";
import { ChoiceError } from "@/lib/questions/session-context";
import type { WrittenPoints } from "@/lib/questions/swept-rows";
import { counters } from "./counters";
import type { ContextTexts } from "./ingest/context-messages";
import type { HeadFacts } from "./ingest/head";
import { InputError, systemCode } from "./ingest/input-error";
import type {
  ContextTask,
  CountTask,
  HeadTask,
  IngestAnswer,
  IngestTask,
  ItemsTask,
  MeasureTask,
  SweepTask,
  TaskRunner,
} from "./tasks";
import type { WorkerAnswer } from "./worker";

/** Memory of one thread: a file that needs more ends that thread, not the server. */
const THREAD_HEAP_MB = 2048;
/** Threads that nothing asks go away after this time. */
const IDLE_MS = 60_000;
/**
 * How much nicer than the others the threads of the background are: what the command `nice` adds by default, a tenth of the processor's time
 * where somebody else wants it too. On Linux it is a thread's own; elsewhere the whole program would give way, and the background
 * leaves a core to the others instead.
 */
const BACKGROUND_NICE = 10;

/** What every task takes: moments, or as long as a file is large or the points are many. */
const TASK_PACES = {
  head: "moments",
  items: "moments",
  ingest: "long",
  count: "long",
  measure: "long",
  context: "long",
  sweep: "long",
} as const satisfies Record<Exclude<keyof TaskRunner, "close">, string>;
type TaskName = keyof typeof TASK_PACES;
type Pace = (typeof TASK_PACES)[TaskName];

/** Errors of a worker's answer as what they were. */
const BAD_CHOICES = {
  ChoiceError: (message: string) => new ChoiceError(message),
  SettingError: (message: string) => new SettingError(message),
} as const;

export interface PoolOptions {
  /** Threads that read, count and replay at most, and as many for what takes moments. */
  readonly threads?: number;
  /** For work that nobody waits for: its threads give way to all others of the machine, and end when they have nothing to do. */
  readonly background?: boolean;
}

/** Does the work in worker threads. What takes moments, once a file was read, has threads of its own: it never waits behind a large file. */
export class PoolRunner implements TaskRunner {
  readonly #root: string;
  readonly #options: PoolOptions;
  readonly #pools = new Map<Pace, Piscina>();

  /** @param root folder of the program, with `dist/worker.mjs` in it */
  constructor(root: string, options: PoolOptions = {}) {
    this.#root = root;
    this.#options = options;
  }

  /** Whether nothing waits for a thread. */
  get idle(): boolean {
    return [...this.#pools.values()].every((pool) => pool.queueSize === 0);
  }

  ingest(task: IngestTask): Promise<IngestAnswer> {
    return this.#run<IngestAnswer>("ingest", task);
  }

  head(task: HeadTask): Promise<HeadFacts> {
    return this.#run<HeadFacts>("head", task);
  }

  count(task: CountTask): Promise<Int32Array> {
    return this.#run<Int32Array>("count", task);
  }

  measure(task: MeasureTask): Promise<Record<string, Int32Array>> {
    return this.#run<Record<string, Int32Array>>("measure", task);
  }

  items(task: ItemsTask): Promise<Uint8Array<ArrayBuffer>> {
    return this.#run<Uint8Array<ArrayBuffer>>("items", task);
  }

  context(task: ContextTask): Promise<ContextTexts> {
    return this.#run<ContextTexts>("context", task);
  }

  sweep(task: SweepTask): Promise<WrittenPoints> {
    return this.#run<WrittenPoints>("sweep", task);
  }

  /** Ends the threads at once, whatever they do: they hold nothing that could be lost. */
  async close(): Promise<void> {
    for (const pool of this.#pools.values()) {
      // An answer that was on its way meets no task any more, which Piscina calls an error: unheard, it would end the program.
      pool.on("error", () => undefined);
      await pool.destroy();
    }
  }

  /** The threads for a pace, made when they are first needed. */
  #pool(pace: Pace): Piscina {
    const { background = false } = this.#options;
    const givesWay = background && process.platform === "linux";
    const { threads = defaultThreads(background && !givesWay ? 1 : 0) } = this.#options;
    const pool =
      this.#pools.get(pace) ??
      new Piscina({
        filename: join(this.#root, "dist", "worker.mjs"),
        minThreads: background ? 0 : 1,
        maxThreads: threads,
        idleTimeout: IDLE_MS,
        resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
        niceIncrement: givesWay ? BACKGROUND_NICE : 0,
      });
    this.#pools.set(pace, pool);
    return pool;
  }

  async #run<T>(name: TaskName, task: object): Promise<T> {
    const pool = this.#pool(TASK_PACES[name]);
    const answer: WorkerAnswer<T> = await pool.run(task, { name }).catch(explained);
    counters.filesParsed += answer.work.filesParsed;
    counters.tailsRead += answer.work.tailsRead;
    counters.filesCounted += answer.work.filesCounted;
    counters.recordsLoaded += answer.work.recordsLoaded;
    counters.recordsLookedThrough += answer.work.recordsLookedThrough;
    const { refusal } = answer;
    if (refusal !== undefined) throw new InputError(refusal.code, refusal.message, refusal.formats);
    if (answer.badChoice !== undefined) throw BAD_CHOICES[answer.badChoice.name](answer.badChoice.message);
    // Without a refusal or a bad choice there is a value: worker.ts sets one of the three.
    return answer.value as T;
  }
}

/** A thread that ran out of memory was ended; the file is to blame, not the server. */
function explained(error: unknown): never {
  if (systemCode(error) !== "ERR_WORKER_OUT_OF_MEMORY") throw error;
  throw new InputError(
    "unreadable",
    `The file takes more memory to read than a thread may use (${THREAD_HEAP_MB} MiB).`,
  );
}

/** Two threads, or one where the machine has one core. @param left cores that are left to others */
function defaultThreads(left: number): number {
  return Math.max(1, Math.min(2, availableParallelism() - left));
}
