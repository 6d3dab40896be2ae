import type { Tokens } from "../base/units";
import { type Fraction, isCompared, OPENAI_STEP, WHOLE } from "./cache-shares";
import { isMiss, leftInCache, type Pair } from "./chain";
import type { PricedRequest } from "./priced-requests";

/** A request reads `share` of the tokens that it has in common with the previous one, rounded down to a multiple of `step`, and at most `most`. */
export interface ReadRule {
  readonly most: Tokens;
  readonly share: Fraction;
  readonly step: Tokens;
  /** Uncached tokens at the end of the previous request. */
  readonly tailBefore: Tokens;
}

/** A larger read is not a miss: after a miss only a system prompt that other sessions keep in the cache can be read. Measured: at most 25,000 tokens. */
export const MAX_AFTER_MISS: Tokens = 35_000;

/**
 * Rule for the tokens that a recorded request found in the cache, used to simulate the same request: a provider may drop or keep entries against its
 * rule under any policy. If at most a system prompt was left, that is read; else the same share of the common tokens. `undefined` if unknown. Source:
 * docs/prices.md, "Cost of a simulation".
 */
export function foundBy(pair: Pair): ReadRule | undefined {
  if (!isCompared(pair)) return undefined;
  const { before, now } = pair;
  const isAnthropic = now.entry?.provider === "anthropic";
  const held = isAnthropic ? leftInCache(before) : before.sent;
  const read = Math.min(now.read, held);
  if (held === 0) return undefined;
  const rule = { most: Number.POSITIVE_INFINITY, share: WHOLE, step: 1, tailBefore: tailOf(before) };
  if (read < MAX_AFTER_MISS && isMiss(pair)) return { ...rule, most: read };
  if (isAnthropic && read === held) return rule;
  return { ...rule, share: { part: read, whole: held }, step: now.entry?.provider === "openai" ? OPENAI_STEP : 1 };
}

/** Tokens of a request that are in no cache. Only Anthropic's cache has positions up to which a request is cached. */
export function tailOf({ entry, readsRecorded, read, write5m, write1h, plain }: PricedRequest): Tokens {
  if (entry?.provider !== "anthropic" || !readsRecorded) return 0;
  return read + write5m + write1h === 0 ? Number.POSITIVE_INFINITY : plain;
}
