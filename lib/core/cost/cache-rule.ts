/**
 * Checks the cache rule of simulations against a recording. The rule predicts a request's cache reads from the previous request and the time between
 * the two. Example for Anthropic with a cache TTL of 5 min:
 *
 *   request   read     written   gap      predicted reads
 *      1           0   100,000
 *      2     100,000     2,000    1 min   100,000: exact
 *      3     101,000     3,000    2 min   102,000: within 2 %
 *      4           0   107,000   20 min         0: exact, since the entry has expired
 *
 * The result counts exact and close predictions, and states the error of the input cost. A large error makes simulated costs doubtful.
 */

import type { Milliseconds, RequestIndex, Share, Tokens } from "../base/units";
import { EXTRA, type SessionColumns } from "../columns/columns";
import { CacheModel } from "./cache-model";
import { bucketOf, isCompared, readFromAnthropic, readFromOpenai, shareOf, sharesOf } from "./cache-shares";
import { type Pair, pairsOf } from "./chain";
import type { PricedRequest } from "./priced-requests";
import { RecordedCache } from "./recorded-cache";
import { ruleMargin } from "./rule-margin";

/** Accuracy of the simulation's cache rule over a recording. */
interface CacheRule {
  /** Number of compared pairs of requests. */
  readonly pairs: number;
  /** Number of pairs whose reads are predicted exactly, and within 2 %. */
  readonly exact: number;
  readonly within2: number;
  /** Relative error of the session's input cost in a simulation of the recording; `undefined` without prices or pairs. */
  readonly costError: Share | undefined;
}

interface Prediction {
  readonly pair: Pair;
  readonly read: Tokens;
}

/** Compares the rule's predictions with a recording's usage; `undefined` if no request read from the cache. */
export function checkCacheRule(columns: SessionColumns, requests: readonly PricedRequest[]): CacheRule | undefined {
  if (!requests.some(({ read }) => read > 0)) return undefined;
  const recorded = new RecordedCache(columns, requests);
  const pairs = withoutPasses(columns, recorded.pairs);
  const predictions = predictionsOf(pairs.filter(isCompared));
  const cache = CacheModel.of(recorded, requests, {});
  return {
    pairs: predictions.length,
    exact: predictions.filter(({ pair, read }) => pair.now.read === read).length,
    within2: predictions.filter(isWithin).length,
    costError: predictions.length === 0 ? undefined : ruleMargin(pairs, cache).error,
  };
}

/** Pairs whose later request is a single pass: a further pass reads tokens that an earlier pass of the same response wrote. */
function withoutPasses({ extra }: SessionColumns, pairs: readonly Pair[]): readonly Pair[] {
  const passes = new Set(extra.point.filter((_, row) => extra.kind[row] === EXTRA.pass));
  return passes.size === 0 ? pairs : pairs.filter(({ now }) => !passes.has(now.request));
}

function isWithin({ pair, read }: Prediction): boolean {
  return 100 * Math.abs(pair.now.read - read) <= 2 * Math.max(pair.now.read, read);
}

function predictionsOf(pairs: readonly Pair[]): readonly Prediction[] {
  const of = (provider: string) => pairs.filter(({ now }) => (now.entry?.provider ?? "other") === provider);
  const openai = of("openai");
  const other = of("other");
  const [openaiShares, otherShares] = [sharesOf(openai), sharesOf(other)];
  return [
    ...of("anthropic").map((pair) => ({ pair, read: readFromAnthropic(pair) })),
    ...openai.map((pair) => ({ pair, read: readFromOpenai(pair.before.sent, pair.gap, openaiShares) })),
    ...other.flatMap((pair) => {
      const share = otherShares[bucketOf(pair.gap)];
      return share === undefined ? [] : [{ pair, read: shareOf(pair.before.sent, share) }];
    }),
  ];
}

/** A pair of requests for which the rule is off by more than 2 %. */
interface RuleMiss {
  /** The later request. */
  readonly request: RequestIndex;
  readonly predicted: Tokens;
  readonly read: Tokens;
  readonly gap: Milliseconds;
}

/** Pairs for which the rule fails, largest error first. */
export function ruleMisses(columns: SessionColumns, requests: readonly PricedRequest[]): readonly RuleMiss[] {
  if (!requests.some(({ read }) => read > 0)) return [];
  const off = predictionsOf(withoutPasses(columns, pairsOf(columns, requests)).filter(isCompared)).filter(
    (one) => !isWithin(one),
  );
  const error = ({ predicted, read }: RuleMiss) => Math.abs(predicted - read);
  return off
    .map(({ pair: { now, gap }, read }) => ({ request: now.request, predicted: read, read: now.read, gap }))
    .toSorted((a, b) => error(b) - error(a) || a.request - b.request);
}
