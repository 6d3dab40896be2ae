import type { Milliseconds, RequestIndex, Share, Tokens } from "../base/units";
import { EXTRA, type SessionColumns } from "../columns/columns";
import { CacheModel } from "./cache-model";
import { bucketOf, isCompared, ofOpenai, readWithin, shareOf, sharesOf } from "./cache-shares";
import { type Pair, pairsOf } from "./chain";
import type { PricedRequest } from "./priced-requests";
import { RecordedCache } from "./recorded-cache";
import { ruleMargin } from "./rule-margin";

/** How well the rule that a simulation uses for the cache holds over a recording. */
interface CacheRule {
  /** Number of pairs of requests that were compared. */
  readonly pairs: number;
  /** For how many of them the read tokens were predicted exactly, and within 2 %. */
  readonly exact: number;
  readonly within2: number;
  /** By what share more the session's input would have cost in a simulation of the recording; `undefined` without prices or pairs. */
  readonly costError: Share | undefined;
}

interface Prediction {
  readonly pair: Pair;
  readonly read: Tokens;
}

/** Checks the rule on a recorded trajectory against its recorded usage; `undefined` where nothing was ever read. */
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

/** The pairs whose later request is a single pass: a further pass reads what an earlier one of the same response has written. */
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
    ...of("anthropic").map((pair) => ({ pair, read: readWithin(pair) })),
    ...openai.map((pair) => ({ pair, read: ofOpenai(pair.before.sent, pair.gap, openaiShares) })),
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

/** The pairs for which the rule does not hold, largest error first. */
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
