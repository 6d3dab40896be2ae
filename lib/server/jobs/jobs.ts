import type { IndexedText } from "../base/config";
import type { IngestAnswer, SessionReplays, SessionReplaysTask } from "../threads/tasks";

/** Background work by kind; no client waits for a single job. */
export interface JobKinds {
  /** Reads one version of a file for the index. */
  readonly index: { readonly task: IndexTask; readonly result: IngestAnswer };
  /** Replays one session of many: a query over sessions is one job per session. */
  readonly replays: { readonly task: ReplaysTask; readonly result: SessionReplays };
}

export type JobKind = keyof JobKinds;

export interface IndexTask {
  readonly path: string;
  /** Name shown in the summary and in sentences. */
  readonly name: string;
  /** The found version; the file may be a later one when it is read. */
  readonly version: { readonly bytes: number; readonly mtimeMs: number };
  /** Searched words. */
  readonly text: IndexedText;
}

export interface ReplaysTask extends Omit<SessionReplaysTask, "kept" | "pricesFile"> {
  /** The queried version: the replays of another version are another job. */
  readonly version: IndexTask["version"];
}

/**
 * Runs jobs wherever there is a worker. A job's result depends only on its task and the files that it names, so another worker can repeat the job of
 * a dead one.
 */
export interface Jobs {
  /** Useful number of parallel jobs. */
  readonly atOnce: number;
  /** The result of a job. Callers share a waiting or running job. Rejects as the job itself, and with the signal's reason if that cancels the job. */
  run<Kind extends JobKind>(
    kind: Kind,
    task: JobKinds[Kind]["task"],
    signal?: AbortSignal,
  ): Promise<JobKinds[Kind]["result"]>;
  close(): Promise<void>;
}

/** Does the jobs of each kind. */
export type JobHandlers = {
  /** @param signal cancels the job if it is done for a single caller */
  readonly [Kind in JobKind]: (task: JobKinds[Kind]["task"], signal?: AbortSignal) => Promise<JobKinds[Kind]["result"]>;
};

/** Replays sessions, one job each. */
export interface Replaying extends Pick<Jobs, "atOnce"> {
  replays(task: ReplaysTask, signal: AbortSignal): Promise<SessionReplays>;
}
