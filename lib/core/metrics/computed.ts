import type { Tokens } from "../base/units";
import type { Outcome } from "../compaction/policy/policy";
import { countAbove, reachedContexts } from "../compaction/replay-totals";
import { type SimulatedCompaction, withoutRefusals } from "../compaction/simulation/simulated-compaction";
import type { Band, MetricInput } from "./metric";

/** A context above this share of the window counts as near it. Source: docs/method.md, "The metrics of a replay". */
const NEAR_WINDOW = 0.8;

const UNCHANGED: ReadonlySet<Outcome> = new Set(["failed", "blocked", "skipped"]);

/** The band of a cost, if it is a range or a lower bound. */
export function bandOfCost({ cost }: MetricInput): Band | undefined {
  return cost === null ? undefined : openBand(cost);
}

/** The cost of the hindsight optimum as a lower bound, if the replay's own cost is one. */
export function bandOfBest({ cost, bestUsd }: MetricInput): Band | undefined {
  return cost === null || bestUsd === null ? undefined : exactBand(bestUsd, cost.lowerBound);
}

/** The band of a metric with an exact value or a lower bound. */
export function exactBand(value: number, lowerBound: boolean): Band | undefined {
  return openBand({ low: value, high: value, lowerBound });
}

/** A band that adds information: its ends differ, or they are lower bounds. */
export function openBand({ low, high, lowerBound }: Band): Band | undefined {
  return low < high || lowerBound ? { low, high, lowerBound } : undefined;
}

/** The band of the re-fetches: from the edits alone, which needed the exact text, to edits and paths together. */
export function bandOfRefetched({ refetched }: MetricInput): Band | undefined {
  return refetched && openBand({ low: refetched.sureCount, high: refetched.count, lowerBound: false });
}

/** Number of requests whose context was above 80 % of the window; `null` if the window is unknown. */
export function requestsNearWindow({ replay, window }: MetricInput): number | null {
  return window === undefined ? null : countAbove(reachedContexts(replay), window * NEAR_WINDOW);
}

/** The fewest requests from one compaction (or the start) to the next; `null` without compactions. */
export function shortestCycle({ replay: { compactions } }: MetricInput): number | null {
  let shortest: number | null = null;
  let last = 0;
  for (const { request } of withoutRefusals(compactions)) {
    shortest = Math.min(shortest ?? Number.POSITIVE_INFINITY, request - last);
    last = request;
  }
  return shortest;
}

/**
 * Mean context after compactions, without the added items (summary, re-attached files). Compactions that changed nothing do not count, and neither
 * does a recorded one without a later request, because its result was never sent. If none counts, the whole context of the last request was kept.
 */
export function keptTokens({ replay: { compactions, context, totals } }: MetricInput): Tokens {
  const kept = compactions
    .filter(({ request, outcome }) => request < context.length && !UNCHANGED.has(outcome))
    .map(keptBy);
  return kept.length === 0 ? totals.final : Math.round(kept.reduce((sum, tokens) => sum + tokens, 0) / kept.length);
}

function keptBy({ tokensAfter, summaryTokens, added }: SimulatedCompaction): Tokens {
  // A recorded compaction lists no added items; only the size of its summary is known.
  const addedTokens = added.reduce((total, item) => total + item.tokens, 0);
  return Math.max(0, tokensAfter - Math.max(addedTokens, summaryTokens));
}
