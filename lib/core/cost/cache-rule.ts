import type { Milliseconds, Share, Tokens } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import { leftInCache, type Pair, pairsOf } from "./chain";
import type { PricedRequest, SentTokens } from "./priced-requests";
import { costOfRequest, inputOf } from "./recorded-cost";

/** How well the rule by which a simulation's cache is reckoned holds over a recording. */
export interface CacheRule {
  /** Pairs of requests that were compared. */
  readonly pairs: number;
  /** Of which what was read was predicted to the token, and within 2 %. */
  readonly exact: number;
  readonly within2: number;
  /** By how much the session's input would have cost more, as a share; `undefined` without prices or pairs. */
  readonly costError: Share | undefined;
}

const MINUTE = 60_000;
/** A file has the times of responses: a request began a generation earlier. */
const SLACK: Milliseconds = 30_000;
/** Upper limits of the gaps that are taken together; what is longer is the last bucket. */
const BUCKETS = [MINUTE / 2, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 60 * MINUTE] as const;
/** Of every bucket of OpenAI's the median share that is read, in ten-thousandths. Source: docs/prices.md, "The rule and its check". */
const OPENAI_SHARES = [9985, 9960, 9700, 9600, 5600, 300] as const;
/** OpenAI's caches hold multiples of so many tokens. */
const OPENAI_STEP = 128;
/** A bucket of fewer pairs has no share of its own. */
const LEAST_PAIRS = 5;

interface Prediction {
  readonly pair: Pair;
  readonly read: Tokens;
}

/** The rule over a recorded trajectory against its recorded usage; `undefined` where nothing was ever read. */
export function checkCacheRule(columns: SessionColumns, requests: readonly PricedRequest[]): CacheRule | undefined {
  if (!requests.some(({ read }) => read > 0)) return undefined;
  const predictions = predictionsOf(pairsOf(columns, requests).filter(isCompared));
  return {
    pairs: predictions.length,
    exact: predictions.filter(({ pair, read }) => pair.now.read === read).length,
    within2: predictions.filter(isWithin).length,
    costError: costError(requests, predictions),
  };
}

function isCompared({ before, now, gap, isChanged }: Pair): boolean {
  return (
    now.modelId === before.modelId && before.readsRecorded && now.readsRecorded && !isChanged && !Number.isNaN(gap)
  );
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
    ...openai.map((pair) => ({ pair, read: ofOpenai(pair, openaiShares) })),
    ...other.flatMap((pair) => {
      const share = otherShares[bucketOf(pair.gap)];
      return share === undefined ? [] : [{ pair, read: shareOf(pair.before.sent, share) }];
    }),
  ];
}

function readWithin({ before, gap, lifetime }: Pair): Tokens {
  return gap <= lifetime + SLACK ? leftInCache(before) : 0;
}

function ofOpenai({ before, gap }: Pair, shares: readonly (Fraction | undefined)[]): Tokens {
  const bucket = bucketOf(gap);
  const read = shareOf(before.sent, shares[bucket] ?? { part: OPENAI_SHARES[bucket] ?? 0, whole: 10_000 });
  return read - (read % OPENAI_STEP);
}

function bucketOf(gap: Milliseconds): number {
  const bucket = BUCKETS.findIndex((limit) => gap <= limit);
  return bucket < 0 ? BUCKETS.length : bucket;
}

interface Fraction {
  readonly part: number;
  readonly whole: number;
}

/** The share of what was sent before that was read, by bucket; `undefined` for a bucket of too few pairs. */
function sharesOf(pairs: readonly Pair[]): readonly (Fraction | undefined)[] {
  const buckets = Array.from({ length: BUCKETS.length + 1 }, () => ({ part: 0, whole: 0, pairs: 0 }));
  for (const { before, now, gap } of pairs) {
    const bucket = buckets[bucketOf(gap)];
    if (bucket === undefined) continue;
    bucket.part += Math.min(now.read, before.sent);
    bucket.whole += before.sent;
    bucket.pairs += 1;
  }
  return buckets.map((bucket) => (bucket.pairs >= LEAST_PAIRS ? bucket : undefined));
}

/** A share of some tokens, rounded down: by whole numbers, since a share is seldom one that a computer holds exactly. */
function shareOf(tokens: Tokens, { part, whole }: Fraction): Tokens {
  const product = tokens * part;
  if (product <= Number.MAX_SAFE_INTEGER) return Math.floor((product - (product % whole)) / whole);
  return Number((BigInt(tokens) * BigInt(part)) / BigInt(whole));
}

/** What the input would have cost with the predicted reads, against what it did. */
function costError(requests: readonly PricedRequest[], predictions: readonly Prediction[]): Share | undefined {
  const predicted = new Map(predictions.map(({ pair, read }) => [pair.now, read]));
  let [recorded, simulated] = [0, 0];
  for (const request of requests) {
    const read = predicted.get(request);
    const own = costOfRequest(request);
    const other = read === undefined ? own : costOfRequest(request, withRead(request, read));
    if (own === undefined || other === undefined) return undefined;
    recorded += inputOf(own);
    simulated += inputOf(other);
  }
  return predictions.length === 0 || recorded === 0 ? undefined : simulated / recorded - 1;
}

/** The same request with another part of it read: the rest is written as the request wrote, or plain where it wrote nothing. */
export function withRead(request: PricedRequest, read: Tokens): SentTokens {
  const { sent, write5m, write1h, plain } = request;
  const taken = Math.min(read, sent);
  const rest = sent - taken;
  const writes = write5m + write1h > 0 || request.entry?.provider === "anthropic";
  if (!writes) return { read: taken, write5m: 0, write1h: 0, plain: rest };
  const kept = Math.min(plain, rest);
  const written = rest - kept;
  return write1h > 0
    ? { read: taken, write5m: 0, write1h: written, plain: kept }
    : { read: taken, write5m: written, write1h: 0, plain: kept };
}
