import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Piscina } from "piscina";
import { SettingError } from "@/lib/core/compaction/settings";
import { ChoiceError } from "@/lib/questions/session-context";
import type { SweptPoint } from "@/lib/questions/sweep";
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

/** Errors of a worker's answer as what they were. */
const BAD_CHOICES = {
  ChoiceError: (message: string) => new ChoiceError(message),
  SettingError: (message: string) => new SettingError(message),
} as const;

/** Does the work in worker threads. */
export class PoolRunner implements TaskRunner {
  readonly #pool: Piscina;

  /** @param root folder of the program, with `dist/worker.mjs` in it */
  constructor(root: string, threads: number = defaultThreads()) {
    this.#pool = new Piscina({
      filename: join(root, "dist", "worker.mjs"),
      minThreads: 1,
      maxThreads: threads,
      idleTimeout: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
    });
  }

  /** Whether a thread is free and nothing waits: the moment for background work. */
  get idle(): boolean {
    return this.#pool.queueSize === 0;
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

  sweep(task: SweepTask): Promise<readonly SweptPoint[]> {
    return this.#run<readonly SweptPoint[]>("sweep", task);
  }

  /** Ends the threads at once, whatever they do: they hold nothing that could be lost. */
  close(): Promise<void> {
    // An answer that was on its way meets no task any more, which Piscina calls an error: unheard, it would end the program.
    this.#pool.on("error", () => undefined);
    return this.#pool.destroy();
  }

  async #run<T>(name: string, task: object): Promise<T> {
    const answer: WorkerAnswer<T> = await this.#pool.run(task, { name }).catch(explained);
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

/** Two threads, or one where the machine has one core. */
function defaultThreads(): number {
  return Math.max(1, Math.min(2, availableParallelism()));
}
