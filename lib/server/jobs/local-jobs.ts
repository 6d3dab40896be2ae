import { Once } from "../once";
import type { JobHandlers, JobKind, JobKinds, Jobs } from "./jobs";

/** More files than there are threads, since a file waits for the thread that knows it. */
const AT_ONCE = 6;

/** Does jobs in this process. */
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
    // What can be taken back is done for who asks alone: it may end the thread that is at it.
    const result = await (signal === undefined
      ? this.#running.do(JSON.stringify([kind, task]), () => handler(task))
      : handler(task, signal));
    signal?.throwIfAborted();
    // Under this key runs nothing but this kind of job.
    return result as JobKinds[Kind]["result"];
  }

  async close(): Promise<void> {
    // What is under way ends with the threads that do it.
  }
}
