import type { Tokens } from "../base/units";
import type { Outcome } from "../compaction/policy/policy";
import { type SimulatedCompaction, withoutRefusals } from "../compaction/simulation/simulated-compaction";
import type { Band, MetricInput } from "./metric";

/** A context above this share of the window counts as near it. Source: docs/method.md, "The figures of a replay". */
const NEAR_WINDOW = 0.8;

const UNCHANGED: ReadonlySet<Outcome> = new Set(["failed", "blocked", "skipped"]);

/** The band of a cost, where it is one, or where the cost is a lower bound. */
export function bandOfCost({ cost }: MetricInput): Band | undefined {
  return cost === null ? undefined : openBand(cost);
}

/** A lower bound where the cost is one. */
export function bandOfBest({ cost, bestUsd }: MetricInput): Band | undefined {
  return cost === null || bestUsd === null ? undefined : exactBand(bestUsd, cost.lowerBound);
}

/** The band of a figure that is known as it is, or as the least that it can be. */
export function exactBand(value: number, lowerBound: boolean): Band | undefined {
  return openBand({ low: value, high: value, lowerBound });
}

/** A band that says something: its ends differ, or they are the least that they can be. */
export function openBand({ low, high, lowerBound }: Band): Band | undefined {
  return low < high || lowerBound ? { low, high, lowerBound } : undefined;
}

/** From the edits alone, whose exact text was needed, to the paths as well. */
export function bandOfRefetched({ needed }: MetricInput): Band | undefined {
  return needed && openBand({ low: needed.sureCount, high: needed.count, lowerBound: false });
}

/** Number of requests whose context was above 80 % of the window; `null` where the window is not known. */
export function requestsNearWindow({ replay: { context }, window }: MetricInput): number | null {
  if (window === undefined) return null;
  let near = 0;
  for (const tokens of context) if (tokens > window * NEAR_WINDOW) near += 1;
  return near;
}

/** The fewest requests from one compaction (or the start) to the next; `null` where nothing was compacted. */
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
 * The context that compactions left, without what they added (summary, re-attached files), as a mean over the compactions. Compactions that changed
 * nothing do not count, nor does a recorded one that no request follows: what it left was never sent. If none counts, the whole context of the last
 * request was kept.
 */
export function keptTokens({ replay: { compactions, context, totals } }: MetricInput): Tokens {
  const kept = compactions
    .filter(({ request, outcome }) => request < context.length && !UNCHANGED.has(outcome))
    .map(keptBy);
  return kept.length === 0 ? totals.final : Math.round(kept.reduce((sum, tokens) => sum + tokens, 0) / kept.length);
}

function keptBy({ tokensAfter, summaryTokens, added }: SimulatedCompaction): Tokens {
  // A recorded compaction lists nothing as added; only the size of its summary is known.
  const addedTokens = added.reduce((total, item) => total + item.tokens, 0);
  return Math.max(0, tokensAfter - Math.max(addedTokens, summaryTokens));
}
