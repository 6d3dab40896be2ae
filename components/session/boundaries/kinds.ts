import type { Policy } from "@/lib/core/compaction/policy";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulated-compaction";

/**
 * What happened at a boundary, by the names that the field has for it. Only a compaction and what failed to be one ask for a
 * summary; clearing, pruning and masking leave placeholders for old results; at a memory flush a turn is added in which
 * memories are written down.
 */
const BOUNDARY_KINDS = [
  ...["compaction", "clearing", "pruning", "masking", "trimming", "truncation"],
  ...["flush", "failure", "refusal", "skip"],
] as const;
export type BoundaryKind = (typeof BOUNDARY_KINDS)[number];

/** As much of a boundary as its kind follows from. */
export type KindFacts = Pick<SimulatedCompaction, "outcome" | "added" | "droppedItems">;

/** The kind of a boundary. @param policy whose it is: some have a name of their own for clearing */
export function boundaryKind(
  { outcome, added, droppedItems }: KindFacts,
  policy: Pick<Policy, "clearsBy">,
): BoundaryKind {
  switch (outcome) {
    case "summary":
    case "fallback":
      return "compaction";
    case "clear":
      return policy.clearsBy ?? "clearing";
    case "trim":
      return droppedItems > 0 ? "trimming" : "truncation";
    case "failed":
      return "failure";
    case "blocked":
      return "refusal";
    case "skipped":
      return added.length > 0 ? "flush" : "skip";
    default:
      return outcome satisfies never;
  }
}

/** Whether a summary was asked for there, whatever came of it: a memory flush sends a call of another kind. */
export function asksForSummary(kind: BoundaryKind, summaryCallTokens: number): boolean {
  return kind !== "flush" && summaryCallTokens > 0;
}
