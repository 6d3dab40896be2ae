import type { Milliseconds, Tokens } from "../base/units";
import { leftInCache, type Pair } from "./chain";

/** How much of what is in a cache a request reads, as the rule of the cache has it. Source: docs/prices.md, "The rule and its check". */

const MINUTE = 60_000;
/** A file has the times of responses: a request began a generation earlier. */
export const SLACK: Milliseconds = 30_000;
/** Upper limits of the gaps that are taken together; what is longer is the last bucket. */
const BUCKETS = [MINUTE / 2, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 60 * MINUTE] as const;
/** Of every bucket of OpenAI's the median share that is read, in ten-thousandths. Source: docs/prices.md, "The rule and its check". */
const OPENAI_SHARES = [9985, 9960, 9700, 9600, 5600, 300] as const;
/** OpenAI's caches hold multiples of so many tokens. */
const OPENAI_STEP = 128;
/** A bucket of fewer pairs has no share of its own. */
const LEAST_PAIRS = 5;

/** Whether the rule can be checked on a pair. */
export function isCompared({ before, now, gap, isChanged }: Pair): boolean {
  return (
    now.modelId === before.modelId && before.readsRecorded && now.readsRecorded && !isChanged && !Number.isNaN(gap)
  );
}

/** What Anthropic gives back of what a request left. */
export function readWithin({ before, gap, lifetime }: Pair): Tokens {
  return gap <= lifetime + SLACK ? leftInCache(before) : 0;
}

/** What OpenAI gives back of so many tokens. */
export function ofOpenai(tokens: Tokens, gap: Milliseconds, shares: BucketShares): Tokens {
  const bucket = bucketOf(gap);
  const read = shareOf(tokens, shares[bucket] ?? { part: OPENAI_SHARES[bucket] ?? 0, whole: 10_000 });
  return read - (read % OPENAI_STEP);
}

/** The bucket of a gap. */
export function bucketOf(gap: Milliseconds): number {
  const bucket = BUCKETS.findIndex((limit) => gap <= limit);
  return bucket < 0 ? BUCKETS.length : bucket;
}

export interface Fraction {
  readonly part: number;
  readonly whole: number;
}

/** Shares by bucket. */
export type BucketShares = readonly (Fraction | undefined)[];

/** The share of what was sent before that was read, by bucket; `undefined` for a bucket of too few pairs. */
export function sharesOf(pairs: readonly Pair[]): BucketShares {
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
export function shareOf(tokens: Tokens, { part, whole }: Fraction): Tokens {
  const product = tokens * part;
  if (product <= Number.MAX_SAFE_INTEGER) return Math.floor((product - (product % whole)) / whole);
  return Number((BigInt(tokens) * BigInt(part)) / BigInt(whole));
}
