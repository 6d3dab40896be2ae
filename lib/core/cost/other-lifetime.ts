import type { Milliseconds } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import { LIFETIMES, leftInCache, type Pair, pairsOf } from "./chain";
import type { PricedRequest, SentTokens } from "./priced-requests";
import { type Cost, costOfRequest, NO_COST, sumOf } from "./recorded-cost";

/** Lifetimes that one can choose for what is written to the cache. */
export const CHOSEN_LIFETIMES = { "5m": LIFETIMES.short, "1h": LIFETIMES.long } as const;
export type ChosenLifetime = keyof typeof CHOSEN_LIFETIMES;

/**
 * What the same requests would have cost if everything had been written to the cache for another time: a gap that was too long for the recorded
 * lifetime and is not for this one reads what was there, one that now is too long reads nothing. Everything else that a request read or did not
 * read stays as recorded. Only providers that sell lifetimes are changed. `undefined` where a request has no price.
 */
export function costWithLifetime(
  columns: SessionColumns,
  requests: readonly PricedRequest[],
  chosen: ChosenLifetime,
): Cost | undefined {
  const pairs = new Map(pairsOf(columns, requests).map((pair) => [pair.now, pair]));
  let sum: Cost | undefined = requests.length === 0 ? undefined : NO_COST;
  for (const request of requests) {
    const sent = request.entry?.provider === "anthropic" ? sentWith(request, pairs.get(request), chosen) : request;
    const cost = costOfRequest(request, sent);
    sum = sum === undefined || cost === undefined ? undefined : sumOf(sum, cost);
  }
  return sum;
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
