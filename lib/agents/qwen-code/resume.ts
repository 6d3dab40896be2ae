import { boundariesOf, TRIGGER } from "@/lib/core/columns/columns";
import { NEVER, recordedMembership } from "@/lib/core/columns/membership";
import type { ResumeRule } from "@/lib/core/context/resume";
import { presetFor } from "./presets";

/**
 * The last snapshot and what was written after it. A message that waited for the request when the history was compacted
 * was written before, so it is lost; thoughts are in no snapshot. The documented release leaves all thoughts out; later ones do so where they are told to,
 * which a file does not say. Source: README.md, "Resuming"; `replaySession` is the exact form.
 */
export const loadsSnapshotAndTail: ResumeRule = ({ columns, agentVersion, boundary, kind, live }) => {
  const { entered } = recordedMembership(columns);
  const last = boundariesOf(columns, "compaction").at(-1);
  // Where a person asked for it, nothing waited.
  const isManual = last !== undefined && columns.boundaries.trigger[last] === TRIGGER.manual;
  const compactedAt = last === undefined || isManual ? NEVER : (columns.boundaries.request[last] ?? NEVER);
  const isDocumented = presetFor(agentVersion) === "as-documented";
  return (row) => {
    const isBefore = row < boundary;
    if (!live(row) || (isBefore && (entered[row] ?? 0) >= compactedAt)) return false;
    return kind(row) !== "thinking" || !(isBefore || isDocumented);
  };
};
