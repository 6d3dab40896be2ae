import type { MicroDollars } from "./money";

/** Input cost of the requests after a compaction, with and without it. */
interface CompactionAmounts {
  /** The summary call. */
  readonly call: MicroDollars;
  /** First request after it: it reads the unchanged prefix and sends the rest uncached. */
  readonly first: MicroDollars;
  readonly firstWithout: MicroDollars;
  /** Every later request: it reads the remaining context, or the larger one without the compaction. */
  readonly later: MicroDollars;
  readonly laterWithout: MicroDollars;
}

/** The first whole request at which a compaction has paid off, as every page and command shows it. */
export function paidAfter(breakEven: number): number {
  return Math.ceil(breakEven);
}

/**
 * Number of requests after which a compaction has paid off: both sums are then equal. Growth in between costs the same on both sides and is omitted.
 * 1 if the first request pays for everything, as after a pause, when the larger context would have been sent uncached; infinite if later requests
 * cost no less. Source: docs/prices.md, "When a compaction pays".
 */
export function breakEvenRequests({ call, first, firstWithout, later, laterWithout }: CompactionAmounts): number {
  const saved = laterWithout - later;
  if (saved <= 0) return Number.POSITIVE_INFINITY;
  return 1 + Math.max(0, (call + first - firstWithout) / saved);
}
