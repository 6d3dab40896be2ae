import type { CountedColumns } from "../columns/counted";
import type { ContextWindow } from "../transcript/model";
import { type ContextOverhead, NO_OVERHEAD, recordedOverhead, withOverhead } from "./context-overhead";

/** Facts about a recording besides its columns: agent, version, end, models and window. */
export interface RecordingFacts {
  readonly agent: string | null;
  readonly agentVersion: string | null;
  readonly formatVersion: number | null;
  readonly endedAt: string | null;
  readonly models: readonly string[];
  readonly contextWindow: ContextWindow;
  /** `agentId` names the subagent that the recording is of; it never waits for a prompt. */
  readonly links?: { readonly agentId: string | null };
}

/** Facts that determine the preset under which a recording's own agent compacted. */
export type WrittenBy = Pick<RecordingFacts, "agent" | "agentVersion" | "formatVersion" | "endedAt">;

/**
 * A recording that was read and counted, with everything that a query needs. Code that needs only the numbers takes `CountedColumns`, which every
 * recording is.
 */
export interface Recording extends CountedColumns {
  readonly facts: RecordingFacts;
  /** Overhead that a context profile adds to the file's; the token column includes it. */
  readonly overhead: ContextOverhead;
}

/**
 * Makes a recording whose sizes include a profile's overhead.
 * @param counted by the estimator alone
 */
export function recordingOf(
  facts: RecordingFacts,
  counted: CountedColumns,
  overhead: ContextOverhead = NO_OVERHEAD,
): Recording {
  // Only these facts are copied, since recordings are sent to other threads.
  const { agent, agentVersion, formatVersion, endedAt, models, contextWindow, links } = facts;
  const known = { agent, agentVersion, formatVersion, endedAt, models, contextWindow };
  return {
    facts: links === undefined ? known : { ...known, links: { agentId: links.agentId } },
    columns: counted.columns,
    tokens: withOverhead(counted, overhead),
    overhead,
  };
}

/** Full overhead of a recording: the recorded entries, and those that a profile adds. */
export function allOverhead(recording: Recording): ContextOverhead {
  const { overhead } = recording;
  return { ...overhead, categories: [...recordedOverhead(recording).categories, ...overhead.categories] };
}
