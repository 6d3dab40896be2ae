import type { Milliseconds } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import { LIFETIMES, leftInCache, type Pair, pairsOf } from "./chain";
import type { MicroDollars } from "./money";
import type { PricedRequest, SentTokens } from "./priced-requests";
import { type Cost, costOfRequest, NO_COST, totalOf } from "./recorded-cost";

/** The lifetimes that one can choose for what is written to the cache. */
export const CHOSEN_LIFETIMES = { "5m": LIFETIMES.short, "1h": LIFETIMES.long } as const;
export type ChosenLifetime = keyof typeof CHOSEN_LIFETIMES;

/**
 * What the same requests would have cost if everything had been written to the cache for another lifetime. A request after a gap that was too long
 * for the recorded lifetime, but is not for this one, reads what was there; after a gap that is now too long it reads nothing. Otherwise what a
 * request read stays as recorded. Only providers that sell lifetimes are changed. `undefined` where a request has no price.
 */
export function costWithLifetime(
  columns: SessionColumns,
  requests: readonly PricedRequest[],
  chosen: ChosenLifetime,
): Cost | undefined {
  return costOfPairs(requests, pairsOf(columns, requests), chosen);
}

function costOfPairs(
  requests: readonly PricedRequest[],
  pairs: readonly Pair[],
  chosen: ChosenLifetime,
): Cost | undefined {
  if (requests.length === 0) return undefined;
  const sum = { ...NO_COST };
  for (let index = 0; index < requests.length; index++) {
    const request = requests[index];
    const sent = request && isSold(request) ? sentWith(request, pairs[index - 1], chosen) : request;
    const cost = request && costOfRequest(request, sent);
    if (cost === undefined) return undefined;
    sum.read += cost.read;
    sum.write += cost.write;
    sum.plain += cost.plain;
    sum.output += cost.output;
  }
  return sum;
}

/** The whole session with one lifetime and with the other. Amounts are micro-dollars. */
interface LifetimesCompared {
  readonly short: MicroDollars;
  readonly long: MicroDollars;
  /** Number of pauses that the longer lifetime outlives and the shorter does not. */
  readonly pauses: number;
  /** How much more it costs to write for the longer lifetime, if every request reads what it reads with the shorter one. */
  readonly dearerWrites: MicroDollars;
  /**
   * What is saved after those pauses, because the longer lifetime still has the cache. The longer lifetime costs less by this and more by
   * `dearerWrites`.
   */
  readonly warmPauses: MicroDollars;
}

/** Compares five minutes with an hour over the recorded pauses. `undefined` where a request has no price, or no provider sells lifetimes. */
export function lifetimesCompared(
  columns: SessionColumns,
  requests: readonly PricedRequest[],
): LifetimesCompared | undefined {
  if (!requests.some(isSold)) return undefined;
  const pairs = pairsOf(columns, requests);
  const [short, long] = [costOfPairs(requests, pairs, "5m"), costOfPairs(requests, pairs, "1h")];
  if (short === undefined || long === undefined) return undefined;
  let dearerWrites = 0;
  for (const [index, request] of requests.entries()) {
    if (!isSold(request)) continue;
    const sent = sentWith(request, pairs[index - 1], "5m");
    const forLong = { ...sent, write5m: 0, write1h: sent.write5m };
    dearerWrites += (costOfRequest(request, forLong)?.write ?? 0) - (costOfRequest(request, sent)?.write ?? 0);
  }
  const pauses = pairs.filter(isBetween).length;
  const [fewer, more] = [totalOf(short), totalOf(long)];
  return { short: fewer, long: more, pauses, dearerWrites, warmPauses: fewer + dearerWrites - more };
}

/** Whether the provider sells lifetimes of its cache. */
export function isSold({ entry }: PricedRequest): boolean {
  return entry?.provider === "anthropic";
}

function isBetween({ before, now, gap, isChanged }: Pair): boolean {
  return isSold(now) && !isChanged && before.modelId === now.modelId && gap > LIFETIMES.short && gap <= LIFETIMES.long;
}

function sentWith(request: PricedRequest, pair: Pair | undefined, chosen: ChosenLifetime): SentTokens {
  const read = readWith(request, pair, CHOSEN_LIFETIMES[chosen]);
  const plain = Math.min(request.plain, request.sent - read);
  const written = request.sent - read - plain;
  return { read, plain, write5m: chosen === "5m" ? written : 0, write1h: chosen === "1h" ? written : 0 };
}

function readWith({ read, sent }: PricedRequest, pair: Pair | undefined, lifetime: Milliseconds): number {
  if (pair === undefined || pair.isChanged || pair.before.modelId !== pair.now.modelId) return read;
  const { before, gap } = pair;
  if (gap > lifetime) return gap > pair.lifetime ? read : 0;
  return gap > pair.lifetime ? Math.max(read, Math.min(leftInCache(before), sent)) : read;
}
