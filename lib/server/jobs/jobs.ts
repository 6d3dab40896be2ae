import type { IndexedText } from "../base/config";
import type { IngestAnswer, SessionReplays, SessionReplaysTask } from "../threads/tasks";

/** What is done by itself, while nobody waits for this very piece, by kind. */
export interface JobKinds {
  /** Reads one version of a file for the index. */
  readonly index: { readonly task: IndexTask; readonly result: IngestAnswer };
  /** Replays one session of many: a question over sessions is as many jobs. */
  readonly replays: { readonly task: ReplaysTask; readonly result: SessionReplays };
}

export type JobKind = keyof JobKinds;

export interface IndexTask {
  readonly path: string;
  /** Name shown in the summary and in sentences. */
  readonly name: string;
  /** The version that was found; the file may be a later one when it is read. */
  readonly version: { readonly bytes: number; readonly mtimeMs: number };
  /** What is wanted of what is said in it. */
  readonly text: IndexedText;
}

export interface ReplaysTask extends Omit<SessionReplaysTask, "kept" | "pricesFile"> {
  /** The version that is asked about: of another one the replays are another job. */
  readonly version: IndexTask["version"];
}

/**
 * Does jobs, wherever there is somebody to do them. A job is a question whose answer depends on nothing but its task and what it names: doing it again
 * gives the same, so a job whose worker died is simply done by another.
 */
export interface Jobs {
  /** How many jobs it is worth asking for at a time. */
  readonly atOnce: number;
  /**
   * The result of a job. A job that waits or is under way is not begun a second time for who asks again. Rejects with what the job itself rejects
   * with, and with the signal's reason where that takes the job back.
   */
  run<Kind extends JobKind>(
    kind: Kind,
    task: JobKinds[Kind]["task"],
    signal?: AbortSignal,
  ): Promise<JobKinds[Kind]["result"]>;
  close(): Promise<void>;
}

/** Does the jobs of each kind. */
export type JobHandlers = {
  /** @param signal ends the job where it is done for one who asks alone */
  readonly [Kind in JobKind]: (task: JobKinds[Kind]["task"], signal?: AbortSignal) => Promise<JobKinds[Kind]["result"]>;
};

/** Replays sessions, one job each. */
export interface Replaying extends Pick<Jobs, "atOnce"> {
  replays(task: ReplaysTask, signal: AbortSignal): Promise<SessionReplays>;
}
