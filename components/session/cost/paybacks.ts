import type { RequestIndex } from "@/lib/core/base/units";
import type { BoundaryCost } from "@/lib/core/cost/boundary-cost";

/** The stretch of requests over which a compaction pays for itself. */
export interface Payback {
  readonly request: RequestIndex;
  /**
   * Where the stretch ends: where the compaction has paid for itself, between requests; or where the next compaction or the
   * session's end comes first.
   */
  readonly end: number;
  readonly isPaid: boolean;
}

/**
 * The stretches of the compactions whose break-even is known, in order.
 * @param points requests of the session
 */
export function paybacks(costs: readonly BoundaryCost[], points: number): readonly Payback[] {
  return costs.flatMap(({ request, breakEven }, index) => {
    if (breakEven === undefined) return [];
    const limit = costs[index + 1]?.request ?? points;
    const end = request + breakEven;
    return [{ request, end: Math.min(end, limit), isPaid: end <= limit }];
  });
}
