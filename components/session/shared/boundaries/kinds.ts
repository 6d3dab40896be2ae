import type { Policy } from "@/lib/core/compaction/policy";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";

/**
 * What happened at a boundary, by the field's names. Only a compaction, or a failed attempt at one, asks for a summary. Clearing,
 * pruning and masking replace old results with placeholders. A memory flush adds a turn in which memories are written down.
 */
const BOUNDARY_KINDS = [
  ...["compaction", "clearing", "pruning", "masking", "trimming", "truncation"],
  ...["flush", "failure", "refusal", "skip"],
] as const;
export type BoundaryKind = (typeof BOUNDARY_KINDS)[number];

/** The parts of a boundary that decide its kind. */
export type KindFacts = Pick<SimulatedCompaction, "outcome" | "added" | "droppedItems">;

/**
 * The kind of a boundary.
 * @param policy the policy that made it: some have a name of their own for clearing
 */
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

/** Whether a summary was asked for there, whatever came of it. A memory flush sends a different kind of call. */
export function asksForSummary(kind: BoundaryKind, summaryCallTokens: number): boolean {
  return kind !== "flush" && summaryCallTokens > 0;
}
