import type { Milliseconds, Tokens } from "../base/units";
import { leftInCache, type Pair } from "./chain";

/** Share of the cached tokens that a request reads, by the cache's rule. Source: docs/prices.md, "The rule and its check". */

const MINUTE = 60_000;
/** A file records the times of responses, but a request began earlier, by the duration of its generation. */
export const SLACK: Milliseconds = 30_000;
/** Upper limits of the buckets into which gaps are grouped; longer gaps are in the last bucket. */
export const BUCKETS = [MINUTE / 2, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 60 * MINUTE] as const;
/** Median share that OpenAI's cache reads by bucket, in ten-thousandths. Source: docs/prices.md, "The rule and its check". */
const OPENAI_SHARES = [9985, 9960, 9700, 9600, 5600, 300] as const;
/** OpenAI's caches hold multiples of this many tokens. */
export const OPENAI_STEP = 128;
/** A bucket with fewer pairs has no share of its own. */
const MIN_PAIRS = 5;

/** True if the rule can be compared on a pair. */
export function isCompared({ before, now, gap, isChanged }: Pair): boolean {
  return (
    now.modelId === before.modelId && before.readsRecorded && now.readsRecorded && !isChanged && !Number.isNaN(gap)
  );
}

/** Tokens that Anthropic's cache returns of the tokens that a request left there. */
export function readFromAnthropic({ before, gap, ttl }: Pair): Tokens {
  return gap <= ttl + SLACK ? leftInCache(before) : 0;
}

/** Tokens that OpenAI's cache returns of a number of tokens. */
export function readFromOpenai(tokens: Tokens, gap: Milliseconds, shares: BucketShares): Tokens {
  const { share, step } = openaiRule(gap, shares);
  const read = shareOf(tokens, share);
  return read - (read % step);
}

/** Share that OpenAI's cache returns after a gap; the number of tokens read is a multiple of the step. */
export function openaiRule(
  gap: Milliseconds,
  shares: BucketShares,
): { readonly share: Fraction; readonly step: Tokens } {
  const bucket = bucketOf(gap);
  return { share: shares[bucket] ?? { part: OPENAI_SHARES[bucket] ?? 0, whole: 10_000 }, step: OPENAI_STEP };
}

/** Bucket of a gap; −1 if the gap is unknown. */
export function bucketOf(gap: Milliseconds): number {
  if (Number.isNaN(gap)) return -1;
  const bucket = BUCKETS.findIndex((limit) => gap <= limit);
  return bucket < 0 ? BUCKETS.length : bucket;
}

export interface Fraction {
  readonly part: number;
  readonly whole: number;
}

export const WHOLE: Fraction = { part: 1, whole: 1 };

export type BucketShares = readonly (Fraction | undefined)[];

/** By bucket, the share of the previous request's tokens that was read; `undefined` for a bucket with too few pairs. */
export function sharesOf(pairs: readonly Pair[]): BucketShares {
  const buckets = Array.from({ length: BUCKETS.length + 1 }, () => ({ part: 0, whole: 0, pairs: 0 }));
  for (const { before, now, gap } of pairs) {
    const bucket = buckets[bucketOf(gap)];
    if (bucket === undefined) continue;
    bucket.part += Math.min(now.read, before.sent);
    bucket.whole += before.sent;
    bucket.pairs += 1;
  }
  return buckets.map((bucket) => (bucket.pairs >= MIN_PAIRS ? bucket : undefined));
}

/** A share of some tokens, rounded down. Computed in integers, since few shares are exact as a double. */
export function shareOf(tokens: Tokens, { part, whole }: Fraction): Tokens {
  const product = tokens * part;
  if (product <= Number.MAX_SAFE_INTEGER) return Math.floor((product - (product % whole)) / whole);
  return Number((BigInt(tokens) * BigInt(part)) / BigInt(whole));
}
