import type { Milliseconds } from "../base/units";
import { BOUNDARY_KINDS, type SessionColumns } from "../columns/columns";
import type { PricedRequest } from "./priced-requests";

/** Two neighbouring requests of the main chain, and the facts between them that decide the cache reads of the second. */
export interface Pair {
  readonly before: PricedRequest;
  readonly now: PricedRequest;
  /** Time between the two; NaN if one has no time. */
  readonly gap: Milliseconds;
  /** True if the file has a compaction or a clearing between them. */
  readonly isChanged: boolean;
  /** Cache TTL of the tokens that the previous request left. */
  readonly ttl: Milliseconds;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Default cache TTLs. Source: docs/prices.md, "Cache misses". */
export const TTLS = { short: 5 * MINUTE, long: HOUR, openai: 10 * MINUTE, other: HOUR } as const;

/**
 * Neighbouring requests of the main chain, in order: the pair at an index ends with the request at the next index. Computed once per list of
 * requests.
 */
export function pairsOf(columns: SessionColumns, requests: readonly PricedRequest[]): readonly Pair[] {
  const known = cache.get(requests);
  if (known?.boundaries === columns.boundaries) return known.pairs;
  const pairs = makePairs(columns, requests);
  cache.set(requests, { boundaries: columns.boundaries, pairs });
  return pairs;
}

const cache = new WeakMap<
  readonly PricedRequest[],
  { readonly boundaries: SessionColumns["boundaries"]; readonly pairs: readonly Pair[] }
>();

function makePairs(columns: SessionColumns, requests: readonly PricedRequest[]): readonly Pair[] {
  const changes = changesBefore(columns);
  const pairs: Pair[] = [];
  let wroteLong = false;
  for (let index = 1; index < requests.length; index++) {
    const [before, now] = [requests[index - 1], requests[index]];
    if (before === undefined || now === undefined) continue;
    if (before.write5m + before.write1h > 0) wroteLong = before.write1h > 0;
    pairs.push({
      before,
      now,
      gap: now.at - before.at,
      isChanged: (changes[now.request] ?? 0) > (changes[before.request] ?? 0),
      ttl: ttlOf(now, wroteLong),
    });
  }
  return pairs;
}

/** Cache TTL of the tokens that a request left, whichever request follows. @param index of the request */
export function ttlAfter(requests: readonly PricedRequest[], index: number): Milliseconds {
  const last = requests[index];
  if (last === undefined) return TTLS.other;
  const wrote = requests.findLast(({ write5m, write1h }, at) => at <= index && write5m + write1h > 0);
  return ttlOf(last, (wrote?.write1h ?? 0) > 0);
}

/** Number of compactions and clearings before every request. */
function changesBefore({ requests, boundaries }: SessionColumns): Int32Array {
  const before = new Int32Array(requests.length + 1);
  for (let boundary = 0; boundary < boundaries.length; boundary++) {
    if (BOUNDARY_KINDS[boundaries.kind[boundary] ?? -1] === "rollback") continue;
    const at = boundaries.request[boundary] ?? 0;
    before[at] = (before[at] ?? 0) + 1;
  }
  for (let request = 1; request < before.length; request++) {
    before[request] = (before[request] ?? 0) + (before[request - 1] ?? 0);
  }
  return before;
}

/** @param wroteLong true if the last request that wrote to the cache wrote for an hour */
function ttlOf({ entry }: PricedRequest, wroteLong: boolean): Milliseconds {
  if (entry?.provider === "anthropic") return wroteLong ? TTLS.long : TTLS.short;
  return entry?.lifetime ?? (entry?.provider === "openai" ? TTLS.openai : TTLS.other);
}

/** Tokens that a request leaves in the cache: its reads and its writes. */
export function leftInCache({ read, write5m, write1h }: PricedRequest): number {
  return read + write5m + write1h;
}

/** A request has a cache miss if it read less than this share of the cached tokens, in percent. Source: docs/prices.md, "Cache misses". */
const WHOLE_SHARE = 98;

export function isMiss({ before, now }: Pair): boolean {
  return now.readsRecorded && 100 * now.read < WHOLE_SHARE * leftInCache(before);
}
