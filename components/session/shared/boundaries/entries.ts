import type { SessionColumns } from "@/lib/core/columns/columns";
import { pointCount } from "@/lib/core/columns/points";
import type { Policy } from "@/lib/core/compaction/policy/policy";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";

/**
 * Kind of a boundary. Only a compaction, or a failed attempt at one, asks for a summary. Clearing, pruning and masking replace old results with
 * placeholders. A memory flush adds a turn in which the agent writes down memories.
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
 * @param policy the policy that made it: some have their own name for clearing
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

/** True if a summary was requested there, with any result. A memory flush sends a different kind of call. */
export function asksForSummary(kind: BoundaryKind, summaryCallTokens: number): boolean {
  return kind !== "flush" && summaryCallTokens > 0;
}

export interface BoundaryEntry {
  readonly key: string;
  readonly kind: "recorded" | "simulated";
  readonly what: BoundaryKind;
  /** Its index among the boundaries of its group, recorded or simulated. */
  readonly ordinal: number;
  readonly compaction: SimulatedCompaction;
}

/**
 * The recorded boundaries, then the simulated ones, each group in order.
 * @param policy the policy of the simulated boundaries
 */
export function boundaryEntries(
  recorded: readonly SimulatedCompaction[],
  simulated: readonly SimulatedCompaction[],
  policy: Pick<Policy, "clearsBy"> = {},
): readonly BoundaryEntry[] {
  const of = (kind: BoundaryEntry["kind"], compactions: readonly SimulatedCompaction[]): BoundaryEntry[] =>
    compactions.map((compaction, ordinal) => {
      const what = boundaryKind(compaction, kind === "recorded" ? {} : policy);
      return { key: `${kind}-${ordinal}`, kind, what, ordinal, compaction };
    });
  return [...of("recorded", recorded), ...of("simulated", simulated)];
}

/**
 * The boundary to show: the selected one until another request is pinned; else the boundary at the pinned request; else the first compaction; else
 * the first boundary.
 * @param last the last request
 */
export function chosenEntry(
  entries: readonly BoundaryEntry[],
  asked: string | null,
  pin: number | null,
  last = Number.POSITIVE_INFINITY,
): BoundaryEntry | undefined {
  // A boundary after the last request has no request of its own to pin.
  const isPinned = ({ compaction }: BoundaryEntry) => Math.min(compaction.request, last) === pin;
  const wanted = entries.find(({ key }) => key === asked);
  if (wanted !== undefined && (pin === null || isPinned(wanted))) return wanted;
  return entries.find(isPinned) ?? entries.find(({ what }) => what === "compaction") ?? entries[0];
}

/**
 * The context after a boundary; `null` after the last request. The context after a compaction that ends a recording was never sent, so its size
 * is unknown: answers repeat the last context, from before the compaction.
 */
export function sizeAfter(
  { request, tokensAfter }: Pick<SimulatedCompaction, "request" | "tokensAfter">,
  columns: SessionColumns,
): number | null {
  return request < pointCount(columns) ? tokensAfter : null;
}

/** The size that each compaction found, by the request after it. */
export function sizesReached(
  compactions: readonly Pick<SimulatedCompaction, "request" | "tokensBefore">[],
): ReadonlyMap<number, number> {
  return new Map(compactions.map(({ request, tokensBefore }) => [request, tokensBefore]));
}

/** Relative change of the context at a boundary; `null` if unknown. */
export function changeShare(before: number, after: number | null): number | null {
  return after === null ? null : before > 0 ? after / before - 1 : 0;
}
