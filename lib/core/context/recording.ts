import type { CountedColumns } from "../columns/counted";
import type { ContextWindow } from "../transcript/model";
import { NO_STANDING, recordedStanding, type StandingOverhead, withStanding } from "./standing";

/** What is known of a recording beside its columns: who wrote it and when, with which models, and the window it ran in. */
export interface RecordingFacts {
  readonly agent: string | null;
  readonly agentVersion: string | null;
  readonly formatVersion: number | null;
  readonly endedAt: string | null;
  readonly models: readonly string[];
  readonly contextWindow: ContextWindow;
}

/** The facts that tell by which preset a recording's own agent compacted. */
export type WrittenBy = Pick<RecordingFacts, "agent" | "agentVersion" | "formatVersion" | "endedAt">;

/**
 * A recording that was read and counted: all that any question about it needs. Whatever needs only its numbers takes `CountedColumns`, which every
 * recording is.
 */
export interface Recording extends CountedColumns {
  readonly facts: RecordingFacts;
  /** The overhead that a context profile gives beyond the file; the token column includes it. */
  readonly overhead: StandingOverhead;
}

/** A recording whose sizes include a profile's overhead. @param counted by the estimator alone */
export function recordingOf(
  facts: RecordingFacts,
  counted: CountedColumns,
  overhead: StandingOverhead = NO_STANDING,
): Recording {
  // Only these facts are copied, since recordings are handed to other threads.
  const { agent, agentVersion, formatVersion, endedAt, models, contextWindow } = facts;
  return {
    facts: { agent, agentVersion, formatVersion, endedAt, models, contextWindow },
    columns: counted.columns,
    tokens: withStanding(counted, overhead),
    overhead,
  };
}

/** All that is known of a recording's fixed overhead: what the file records, and what a profile adds. */
export function allStanding(recording: Recording): StandingOverhead {
  const { overhead } = recording;
  return { ...overhead, categories: [...recordedStanding(recording).categories, ...overhead.categories] };
}
