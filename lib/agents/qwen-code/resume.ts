import { boundariesOf, TRIGGER } from "@/lib/core/columns/columns";
import { NEVER, recordedMembership } from "@/lib/core/columns/membership";
import type { ResumeRule } from "@/lib/core/context/resume";
import { presetFor } from "./presets";

/**
 * A resume loads the last snapshot and what was written after it. A message that was waiting for the request when the history was compacted had
 * been written before the snapshot, so it is lost. Snapshots hold no thoughts. The documented release leaves all other thoughts out as well;
 * later releases do so only where they are told to, which a file does not say. Source: README.md, "Resuming"; `replaySession` is the exact form.
 */
export const loadsSnapshotAndTail: ResumeRule = ({ columns, agentVersion, boundary, kind, live }) => {
  const { entered } = recordedMembership(columns);
  const last = boundariesOf(columns, "compaction").at(-1);
  // Where a person asked for the compaction, no message was waiting.
  const isManual = last !== undefined && columns.boundaries.trigger[last] === TRIGGER.manual;
  const compactedAt = last === undefined || isManual ? NEVER : (columns.boundaries.request[last] ?? NEVER);
  const isDocumented = presetFor(agentVersion) === "as-documented";
  return (row) => {
    const isBefore = row < boundary;
    if (!live(row) || (isBefore && (entered[row] ?? 0) >= compactedAt)) return false;
    return kind(row) !== "thinking" || !(isBefore || isDocumented);
  };
};
