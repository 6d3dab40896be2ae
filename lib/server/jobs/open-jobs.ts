import { Once } from "../base/once";
import type { KeptOnDisk, TaskRunner } from "../threads/tasks";
import { JobQueue, type QueueOptions } from "./job-queue";
import { JobWorker, type WorkerOptions } from "./job-worker";
import type { JobHandlers, JobKind, JobKinds, Jobs } from "./jobs";
import { QueuedJobs } from "./queued-jobs";

/** Handlers that pass each kind of job to a task runner. @param kept cache of opened sessions on this machine */
export function handlersOf(runner: Pick<TaskRunner, "run">, kept?: () => KeptOnDisk): JobHandlers {
  return {
    index: ({ path, name, text }) => runner.run("ingest", { path, name, summaryOnly: true, indexed: text }),
    replays: ({ version: _, ...task }, signal) => runner.run("replays", { ...task, kept: kept?.() }, signal),
  };
}

/** The queue of a database, with all kinds of jobs. */
export function openQueue(address: string, handlers: JobHandlers, options: QueueOptions): Promise<JobQueue> {
  return JobQueue.open(address, Object.keys(handlers) as JobKind[], options); // The type of `JobHandlers`.
}

interface JobsPlace extends QueueOptions {
  /** Address of a PostgreSQL database whose queue is shared with other processes; without one, this process runs all jobs. */
  readonly address: string | undefined;
  readonly say: (sentence: string) => void;
}

/** Jobs, run by this process and, with a database, by its other workers. */
export async function openJobs(place: JobsPlace, handlers: JobHandlers, working: WorkerOptions): Promise<Jobs> {
  if (place.address === undefined) return new LocalJobs(handlers);
  let queue: JobQueue;
  try {
    queue = await openQueue(place.address, handlers, place);
  } catch {
    place.say("the database of CONTEXT_REPLAY_DATABASE does not take jobs; they are done by this process alone.");
    return new LocalJobs(handlers);
  }
  const jobs = new QueuedJobs(queue);
  const worker = new JobWorker(queue, handlers, working);
  return {
    atOnce: jobs.atOnce,
    run: (...job) => jobs.run(...job),
    close: async () => {
      await jobs.close();
      await worker.close();
      await queue.close();
    },
  };
}

/** More files than threads, since a file may have to wait for the thread that has read it before. */
const AT_ONCE = 6;

/** Runs jobs in this process. */
export class LocalJobs implements Jobs {
  readonly atOnce = AT_ONCE;
  readonly #handlers: JobHandlers;
  readonly #running = new Once<unknown>();

  constructor(handlers: JobHandlers) {
    this.#handlers = handlers;
  }

  async run<Kind extends JobKind>(
    kind: Kind,
    task: JobKinds[Kind]["task"],
    signal?: AbortSignal,
  ): Promise<JobKinds[Kind]["result"]> {
    signal?.throwIfAborted();
    const handler = this.#handlers[kind];
    // A cancellable job runs for a single caller: cancelling may end its thread.
    const result = await (signal === undefined
      ? this.#running.do(JSON.stringify([kind, task]), () => handler(task))
      : handler(task, signal));
    signal?.throwIfAborted();
    // Only this kind of job runs under this key.
    return result as JobKinds[Kind]["result"];
  }

  async close(): Promise<void> {
    // Running jobs end with their threads.
  }
}
