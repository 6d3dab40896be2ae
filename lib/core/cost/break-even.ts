import type { MicroDollars } from "./money";

/** What requests behind a compaction pay for their input, with it and had it not been made. */
interface CompactionAmounts {
  /** The call for the summary. */
  readonly call: MicroDollars;
  /** The first request behind it: it reads what stayed as it was and sends the rest anew. */
  readonly first: MicroDollars;
  readonly firstWithout: MicroDollars;
  /** Every later one: it reads what was left, or what was there before. */
  readonly later: MicroDollars;
  readonly laterWithout: MicroDollars;
}

/**
 * After how many requests a compaction has paid for itself: then both sums are the same. What grows in between costs the same on both sides and is left out.
 * 0 where the first request is so much cheaper that it pays for all; infinite where later ones cost no less. Source: docs/prices.md, "When a compaction pays".
 */
export function breakEvenRequests({ call, first, firstWithout, later, laterWithout }: CompactionAmounts): number {
  const saved = laterWithout - later;
  if (saved <= 0) return Number.POSITIVE_INFINITY;
  return Math.max(0, 1 + (call + first - firstWithout) / saved);
}
