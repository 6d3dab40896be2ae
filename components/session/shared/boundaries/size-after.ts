import type { SessionColumns } from "@/lib/core/columns/columns";
import { pointCount } from "@/lib/core/columns/points";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";

/**
 * The context after a boundary; `null` behind the last request. What came after a compaction with which a recording ends was never sent, so its
 * size is not known: the last context stands in its place in the answers, which is the one before.
 */
export function sizeAfter(
  { request, tokensAfter }: Pick<SimulatedCompaction, "request" | "tokensAfter">,
  columns: SessionColumns,
): number | null {
  return request < pointCount(columns) ? tokensAfter : null;
}

/** By how much a boundary changed the context, as a share of what it was; `null` where that is not known. */
export function changeShare(before: number, after: number | null): number | null {
  return after === null ? null : before > 0 ? after / before - 1 : 0;
}
