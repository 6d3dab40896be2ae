import type { Milliseconds, RequestIndex, Tokens } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import { isMiss, leftInCache, type Pair, pairsOf } from "./chain";
import { costOf, type MicroDollars } from "./money";
import type { PricedRequest } from "./priced-requests";

/** Causes of a cache miss, in the order in which they are checked. */
export const MISS_CAUSES = ["first", "compaction", "recorded", "model", "idle", "resume", "unexplained"] as const;
export type MissCause = (typeof MISS_CAUSES)[number];

/** Tokens sent uncached although the previous request had left them in the cache. */
export interface CacheMiss {
  readonly request: RequestIndex;
  readonly cause: MissCause;
  readonly tokens: Tokens;
  /** Cost of these tokens beyond the price of reading them; `undefined` if the request has no price. */
  readonly cost: MicroDollars | undefined;
  /** Time since the previous request; NaN if unknown, and for the first request. */
  readonly gap: Milliseconds;
  /** The provider's own reason. */
  readonly reason?: string | undefined;
}

export interface CacheMisses {
  readonly misses: readonly CacheMiss[];
  /** New tokens that were written or sent plain: all uncached tokens, minus those of cache misses. */
  readonly growth: Tokens;
}

/**
 * Cache misses of a session's main chain, preceded by an entry for the first request. `undefined` if no request records its reads.
 * Source: docs/prices.md, "Cache misses".
 */
export function cacheMisses(columns: SessionColumns, requests: readonly PricedRequest[]): CacheMisses | undefined {
  if (requests.length > 0 && !requests.some(({ readsRecorded }) => readsRecorded)) return undefined;
  const misses: CacheMiss[] = requests.slice(0, 1).map(firstOf);
  for (const pair of pairsOf(columns, requests)) if (isMiss(pair)) misses.push(missOf(pair));
  const written = requests.reduce((sum, request) => sum + uncachedOf(request), 0);
  return { misses, growth: misses.reduce((rest, { tokens }) => rest - tokens, written) };
}

function uncachedOf({ write5m, write1h, plain }: PricedRequest): Tokens {
  return write5m + write1h + plain;
}

function firstOf(request: PricedRequest): CacheMiss {
  const cost = request.rates === undefined ? undefined : 0;
  return { request: request.request, cause: "first", tokens: uncachedOf(request), cost, gap: Number.NaN };
}

function missOf(pair: Pair): CacheMiss {
  const { before, now, gap } = pair;
  const tokens = Math.min(leftInCache(before) - now.read, uncachedOf(now));
  const cause = causeOf(pair);
  const reason = cause === "recorded" ? now.terms.missReason : undefined;
  return { request: now.request, cause, tokens, cost: costOfMiss(now, tokens), gap, ...(reason ? { reason } : {}) };
}

function causeOf(pair: Pair): MissCause {
  const { before, now, gap, ttl } = pair;
  if (pair.isChanged) return "compaction";
  if (now.terms.missReason !== undefined) return "recorded";
  if (isOtherModel(before, now)) return "model";
  if (gap > ttl) return "idle";
  return now.terms.process === before.terms.process ? "unexplained" : "resume";
}

/** True if model, speed or effort changed. A missing effort is a value too: the usual one. */
function isOtherModel(before: PricedRequest, now: PricedRequest): boolean {
  if (before.modelId !== now.modelId) return true;
  if ((before.terms.speed === "fast") !== (now.terms.speed === "fast")) return true;
  return before.terms.effort !== now.terms.effort;
}

/** Cost of the uncached tokens (one-hour writes first, then five-minute writes, then plain input) minus the cost of reading them. */
function costOfMiss({ write5m, write1h, rates, factor }: PricedRequest, tokens: Tokens): MicroDollars | undefined {
  if (rates === undefined) return undefined;
  const long = Math.min(tokens, write1h);
  const short = Math.min(tokens - long, write5m);
  return costOf(
    [
      { tokens: long, price: rates.write1h - rates.read },
      { tokens: short, price: rates.write5m - rates.read },
      { tokens: tokens - long - short, price: rates.input - rates.read },
    ],
    factor,
  );
}

interface CauseSum {
  readonly count: number;
  readonly tokens: Tokens;
  /** `undefined` if one of them has no price. */
  readonly cost: MicroDollars | undefined;
}

/** Sums by cause, in the order of the causes; a cause without a miss is omitted. */
export function missesByCause({ misses }: CacheMisses): ReadonlyMap<MissCause, CauseSum> {
  const sums = new Map<MissCause, CauseSum>();
  for (const cause of MISS_CAUSES) {
    const own = misses.filter((one) => one.cause === cause);
    if (own.length === 0) continue;
    const costs = own.flatMap(({ cost }) => cost ?? []);
    sums.set(cause, {
      count: own.length,
      tokens: own.reduce((sum, { tokens }) => sum + tokens, 0),
      cost: costs.length < own.length ? undefined : costs.reduce((sum, cost) => sum + cost, 0),
    });
  }
  return sums;
}
