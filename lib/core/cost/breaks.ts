import type { Milliseconds, RequestIndex, Tokens } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import { isBroken, leftInCache, type Pair, pairsOf } from "./chain";
import { costOf, type MicroDollars } from "./money";
import type { PricedRequest } from "./priced-requests";

/** Why a request could not read what the one before it had left in the cache, in the order in which the causes are checked. */
export const BREAK_CAUSES = ["first", "compaction", "recorded", "model", "idle", "resume", "unexplained"] as const;
export type BreakCause = (typeof BREAK_CAUSES)[number];

/** Tokens that were sent anew although the request before had left them in the cache. */
export interface CacheBreak {
  readonly request: RequestIndex;
  readonly cause: BreakCause;
  readonly tokens: Tokens;
  /** What they cost beyond what reading them would have cost; `undefined` where the request has no price. */
  readonly cost: MicroDollars | undefined;
  /** Time since the request before; NaN where it is not known, and for the first request. */
  readonly gap: Milliseconds;
  /** The provider's own reason. */
  readonly reason?: string | undefined;
}

export interface CacheBreaks {
  readonly breaks: readonly CacheBreak[];
  /** What was written or sent plain because it was new: all that was, less what the breaks sent anew. */
  readonly growth: Tokens;
}

/**
 * The breaks of a session's main chain, with an entry for the first request before them. `undefined` where no request records what it read.
 * Source: docs/prices.md, "Cache breaks".
 */
export function cacheBreaks(columns: SessionColumns, requests: readonly PricedRequest[]): CacheBreaks | undefined {
  if (requests.length > 0 && !requests.some(({ readsRecorded }) => readsRecorded)) return undefined;
  const breaks: CacheBreak[] = requests.slice(0, 1).map(firstOf);
  for (const pair of pairsOf(columns, requests)) if (isBroken(pair)) breaks.push(breakOf(pair));
  const written = requests.reduce((sum, request) => sum + sentAnew(request), 0);
  return { breaks, growth: breaks.reduce((rest, { tokens }) => rest - tokens, written) };
}

function sentAnew({ write5m, write1h, plain }: PricedRequest): Tokens {
  return write5m + write1h + plain;
}

function firstOf(request: PricedRequest): CacheBreak {
  const cost = request.rates === undefined ? undefined : 0;
  return { request: request.request, cause: "first", tokens: sentAnew(request), cost, gap: Number.NaN };
}

function breakOf(pair: Pair): CacheBreak {
  const { before, now, gap } = pair;
  const tokens = Math.min(leftInCache(before) - now.read, sentAnew(now));
  const cause = causeOf(pair);
  const reason = cause === "recorded" ? now.terms.missReason : undefined;
  return { request: now.request, cause, tokens, cost: costOfBreak(now, tokens), gap, ...(reason ? { reason } : {}) };
}

function causeOf(pair: Pair): BreakCause {
  const { before, now, gap, lifetime } = pair;
  if (pair.isChanged) return "compaction";
  if (now.terms.missReason !== undefined) return "recorded";
  if (isOtherModel(before, now)) return "model";
  if (gap > lifetime) return "idle";
  return now.terms.process === before.terms.process ? "unexplained" : "resume";
}

/** Whether model, speed or effort changed. A missing effort is a value too: the usual one. */
function isOtherModel(before: PricedRequest, now: PricedRequest): boolean {
  if (before.modelId !== now.modelId) return true;
  if ((before.terms.speed === "fast") !== (now.terms.speed === "fast")) return true;
  return before.terms.effort !== now.terms.effort;
}

/** The cost of what was sent anew (one-hour writes first, then five-minute writes, then plain input) less the cost of reading it. */
function costOfBreak({ write5m, write1h, rates, factor }: PricedRequest, tokens: Tokens): MicroDollars | undefined {
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

/** All breaks of one cause together. */
interface CauseSum {
  readonly count: number;
  readonly tokens: Tokens;
  /** `undefined` where one of them has no price. */
  readonly cost: MicroDollars | undefined;
}

/** Sums by cause, in the order of the causes; a cause without a break is left out. */
export function breaksByCause({ breaks }: CacheBreaks): ReadonlyMap<BreakCause, CauseSum> {
  const sums = new Map<BreakCause, CauseSum>();
  for (const cause of BREAK_CAUSES) {
    const own = breaks.filter((one) => one.cause === cause);
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
