import type { Milliseconds, RequestIndex, Share, Tokens } from "../../base/units";
import type { CacheModel } from "../cache-model";
import { type Call, type CostSum, cacheWrites, type SummaryCall } from "../cost-sum";
import type { SureRequests } from "./sure-requests";

/**
 * A keep-alive request is sent after this share of the cache TTL. Source: docs/prices.md, "Pauses".
 */
const KEEP_ALIVE_SHARE: Share = 0.9;

const MINUTE_MS = 60_000;

/** Actions of a replay in its pauses. */
interface ActingSimulation {
  readonly compactions: readonly SummaryCall[];
  /** For the pause before each request point, and for the one after the last, the minutes in which the cache is kept alive. */
  readonly keptAlive?: ArrayLike<number> | undefined;
}

/** The cache in one pause. Times are since the request before it. */
interface ActedPause {
  /** Number of keep-alive requests. */
  readonly refreshes: number;
  /** Time since the last use of the cache at the compaction during the pause. */
  readonly callGap: Milliseconds;
  /** The same at the request that ends the pause, if the call for the summary used the cache, and if it did not. */
  readonly gap: { readonly used: Milliseconds; readonly unused: Milliseconds };
  readonly compaction: SummaryCall | undefined;
}

/** The pauses in which a replay acts, by the index of the request that ends each. The time after the last request has the index after it. */
export class ActedPauses {
  readonly #compactions = new Map<number, SummaryCall>();
  readonly #kept = new Map<number, number>();

  private constructor(private readonly cache: CacheModel) {}

  /** `undefined` for a replay that does not act in pauses. */
  static of(
    cache: CacheModel,
    sure: SureRequests,
    { compactions, keptAlive }: ActingSimulation,
  ): ActedPauses | undefined {
    const idle = compactions.filter(({ at }) => at !== undefined);
    if (idle.length === 0 && keptAlive === undefined) return undefined;
    const acted = new ActedPauses(cache);
    for (const compaction of idle) acted.#compactions.set(indexEnding(sure, compaction.request), compaction);
    for (let point = 0; point < (keptAlive?.length ?? 0); point++) {
      const minutes = keptAlive?.[point] ?? 0;
      if (minutes > 0) acted.#kept.set(indexEnding(sure, point), minutes);
    }
    return acted;
  }

  /**
   * The pause before a request; `undefined` if the replay does not act in it.
   * @param before tokens of the previous request
   */
  before(index: number, before: Tokens): ActedPause | undefined {
    const compaction = this.#compactions.get(index);
    const kept = this.#kept.get(index) ?? 0;
    if (index === 0 || (compaction === undefined && kept === 0)) return undefined;
    const gap = this.cache.gap(index);
    const at = compaction?.at === undefined ? gap : compaction.at - (this.cache.requests[index - 1]?.at ?? Number.NaN);
    const { period, most } = keepAliveOf(this.cache, index - 1, before, kept);
    const refreshes = most === 0 ? 0 : Math.max(0, Math.min(most, Math.ceil(at / period) - 1));
    const lastRefresh = refreshes === 0 ? 0 : refreshes * period;
    return {
      refreshes,
      compaction,
      callGap: at - lastRefresh,
      gap: { used: Math.max(0, gap - at), unused: Math.max(0, gap - lastRefresh) },
    };
  }
}

/** Index of the request with usage that ends the pause before a point; the number of requests after the last one. */
export function indexEnding(sure: SureRequests, point: RequestIndex): number {
  let [low, high] = [0, sure.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sure.point(middle) < point) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Keep-alive requests after a request: the time between two, and their maximum number. They stop when they have cost as much as the cache miss that
 * they avoid: docs/prices.md, "Pauses". None without a cache TTL that a provider guarantees.
 * @param sent tokens of the request
 */
export function keepAliveOf(cache: CacheModel, index: number, sent: Tokens, minutes: number) {
  const request = cache.requests[index];
  const rates = request?.ratesOf(sent);
  const period = KEEP_ALIVE_SHARE * cache.ttlAfter(index);
  const isCached = request?.entry?.provider === "anthropic" && cache.tail(index) < Number.POSITIVE_INFINITY;
  if (!isCached || rates === undefined || rates.read <= 0 || minutes <= 0) return { period, most: 0 };
  const written = cache.isLongAfter(index) ? rates.write1h : rates.write5m;
  const breakEven = Math.floor((written - rates.read) / rates.read);
  return { period, most: Math.max(0, Math.min(breakEven, Math.floor((minutes * MINUTE_MS) / period))) };
}

/** Adds the keep-alive requests after a request: each reads the whole context and answers with one token. Returns true if they have a price. */
export function addRefreshes(sum: CostSum, cache: CacheModel, index: number, sent: Tokens, count: number): boolean {
  const request = cache.requests[index];
  const rates = request?.ratesOf(sent);
  if (request === undefined || rates === undefined) return false;
  const read = Math.max(0, sent - cache.tail(index));
  const reads = { likely: read, most: read, least: read };
  const call: Call = { sent, output: 1, reads, writes: cacheWrites(request, rates) };
  for (let refresh = 0; refresh < count; refresh++) sum.add(index, rates, call);
  return true;
}
