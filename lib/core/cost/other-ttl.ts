import type { Milliseconds } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import { leftInCache, type Pair, pairsOf, TTLS } from "./chain";
import type { MicroDollars } from "./money";
import type { PricedRequest, SentTokens } from "./priced-requests";
import { type Cost, costOfRequest, NO_COST, totalOf } from "./recorded-cost";

/** Cache TTLs to choose from. */
export const CHOSEN_TTLS = { "5m": TTLS.short, "1h": TTLS.long } as const;
export type ChosenTtl = keyof typeof CHOSEN_TTLS;

/**
 * Cost of the same requests if every write had another cache TTL. A request after a gap between the two TTLs reads the cached tokens under the longer
 * one and nothing under the shorter one. Other reads stay as recorded. Only providers that sell TTLs are changed. `undefined` if a request has no
 * price.
 */
export function costWithTtl(
  columns: SessionColumns,
  requests: readonly PricedRequest[],
  chosen: ChosenTtl,
): Cost | undefined {
  return costOfPairs(requests, pairsOf(columns, requests), chosen);
}

function costOfPairs(requests: readonly PricedRequest[], pairs: readonly Pair[], chosen: ChosenTtl): Cost | undefined {
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

/** Costs of the whole session with either cache TTL. Amounts are micro-dollars. */
interface TtlsCompared {
  readonly short: MicroDollars;
  readonly long: MicroDollars;
  /** Number of pauses longer than the shorter TTL and within the longer one. */
  readonly pauses: number;
  /** Additional cost of writing for the longer TTL, if reads are the same as with the shorter one. */
  readonly extraWriteCost: MicroDollars;
  /** Savings after those pauses, since the longer TTL keeps the cache warm. Cost with the longer TTL = `short` + `extraWriteCost` − `warmPauses`. */
  readonly warmPauses: MicroDollars;
}

/** Compares 5 min with 1 h over the recorded pauses. `undefined` if a request has no price, or no provider sells TTLs. */
export function ttlsCompared(columns: SessionColumns, requests: readonly PricedRequest[]): TtlsCompared | undefined {
  if (!requests.some(isSold)) return undefined;
  const pairs = pairsOf(columns, requests);
  const [short, long] = [costOfPairs(requests, pairs, "5m"), costOfPairs(requests, pairs, "1h")];
  if (short === undefined || long === undefined) return undefined;
  let extraWriteCost = 0;
  for (const [index, request] of requests.entries()) {
    if (!isSold(request)) continue;
    const sent = sentWith(request, pairs[index - 1], "5m");
    const forLong = { ...sent, write5m: 0, write1h: sent.write5m };
    extraWriteCost += (costOfRequest(request, forLong)?.write ?? 0) - (costOfRequest(request, sent)?.write ?? 0);
  }
  const pauses = pairs.filter(isBetween).length;
  const [fewer, more] = [totalOf(short), totalOf(long)];
  return { short: fewer, long: more, pauses, extraWriteCost, warmPauses: fewer + extraWriteCost - more };
}

/** True if the provider sells cache TTLs. */
export function isSold({ entry }: PricedRequest): boolean {
  return entry?.provider === "anthropic";
}

function isBetween({ before, now, gap, isChanged }: Pair): boolean {
  return isSold(now) && !isChanged && before.modelId === now.modelId && gap > TTLS.short && gap <= TTLS.long;
}

function sentWith(request: PricedRequest, pair: Pair | undefined, chosen: ChosenTtl): SentTokens {
  const read = readWith(request, pair, CHOSEN_TTLS[chosen]);
  const plain = Math.min(request.plain, request.sent - read);
  const written = request.sent - read - plain;
  return { read, plain, write5m: chosen === "5m" ? written : 0, write1h: chosen === "1h" ? written : 0 };
}

function readWith({ read, sent }: PricedRequest, pair: Pair | undefined, ttl: Milliseconds): number {
  if (pair === undefined || pair.isChanged || pair.before.modelId !== pair.now.modelId) return read;
  const { before, gap } = pair;
  if (gap > ttl) return gap > pair.ttl ? read : 0;
  return gap > pair.ttl ? Math.max(read, Math.min(leftInCache(before), sent)) : read;
}
