import type { Milliseconds, RequestIndex, Share, Tokens } from "../base/units";
import { bucketOf, ofOpenai, openaiRule, SLACK, shareOf, WHOLE } from "./cache-shares";
import { type Pair, TTLS } from "./chain";
import { MOST_AFTER_MISS, type ReadRule, tailOf } from "./found-in-cache";
import { CHOSEN_TTLS, type ChosenTtl, isSold } from "./other-ttl";
import type { PricedRequest } from "./priced-requests";
import type { RecordedCache } from "./recorded-cache";

/** Cache TTL of written tokens, if the provider sells several. */
export type Ttl = ChosenTtl | "recorded";

/** Tokens read: most likely, at most and at least. */
export interface Reads {
  readonly likely: Tokens | undefined;
  readonly most: Tokens;
  readonly least: Tokens;
}

/** Facts that decide a request's reads and the price of its other tokens. They do not depend on the sent contexts, so no replay changes them. */
interface Place {
  readonly cache: "first" | "none" | "kept" | "gone" | "openai" | "other";
  /** Tokens that the recorded request found in the cache, if simulations find the same and that is not all of them. */
  readonly found: ReadRule | undefined;
  /** Tokens that a request reads even after a cache miss. */
  readonly afterMiss: Tokens;
  readonly gap: Milliseconds;
  /** True if OpenAI's cache may have dropped everything. */
  readonly isPastLife: boolean;
  /** Number of tokens after the last cached position: all tokens of a request that was sent without a cache. */
  readonly tail: Tokens;
  /** Share of its writes with a cache TTL of 1 h. */
  readonly longShare: Share;
}

/** Assumptions about a session's caches. */
interface CacheTerms {
  readonly ttl?: Ttl;
  /** True if requests have their recorded gaps; otherwise each follows the previous one at once. */
  readonly hasPauses?: boolean;
  /** True if a request finds in the cache the tokens that the recorded one found, more or less than by the rule; otherwise the rule alone decides. */
  readonly asFound?: boolean;
}

/** Cache rule for the requests of one session and one cache TTL. Source: docs/prices.md, "What a simulation costs". */
export class CacheModel {
  private constructor(
    private readonly recorded: RecordedCache,
    readonly requests: readonly PricedRequest[],
    private readonly places: readonly Place[],
  ) {}

  static of(recorded: RecordedCache, requests: readonly PricedRequest[], terms: CacheTerms): CacheModel {
    return new CacheModel(recorded, requests, placesOf(requests, recorded, terms));
  }

  /** Same model for the same requests at other prices. */
  repriced(requests: readonly PricedRequest[]): CacheModel {
    return new CacheModel(this.recorded, requests, this.places);
  }

  /** True if any request records cache writes. */
  get writesSeen(): boolean {
    return this.recorded.writesSeen;
  }

  /** Index of the request with recorded usage at a point, else of the next one, else of the last. */
  indexAt(point: RequestIndex): number {
    return this.recorded.indexAt(point) ?? this.requests.length - 1;
  }

  /** Number of a request's uncached tokens at the price of plain input, because no cache takes them. */
  tail(index: number): Tokens {
    return this.places[index]?.tail ?? 0;
  }

  /** Maximum tokens that a request reads if its contexts alone decide the number: infinite without a limit of the cache. -1 if they do not. */
  mostRead(index: number): Tokens {
    const place = this.places[index];
    if (place?.found !== undefined) return -1;
    switch (place?.cache) {
      case "first":
        return place.afterMiss;
      case "none":
        return 0;
      case "kept":
        return this.recorded.readsRecorded ? Number.POSITIVE_INFINITY : -1;
      default:
        return -1;
    }
  }

  /** Most likely reads of a request, as numbers; `undefined` if unknown. `reads` follows the same rule. */
  readRule(index: number): ReadRule | undefined {
    const place = this.places[index];
    const rule = this.#ruleAt(place, index);
    return rule && (place?.found ?? rule);
  }

  #ruleAt(place: Place | undefined, index: number): ReadRule | undefined {
    const all = { most: Number.POSITIVE_INFINITY, share: WHOLE, step: 1, tailBefore: this.tail(index - 1) };
    switch (place?.cache) {
      case "first":
      case "gone":
        return { ...all, most: place.afterMiss };
      case "none":
        return { ...all, most: 0 };
      case "kept":
        return this.recorded.readsRecorded ? all : undefined;
      case "openai":
        if (!this.#isToldOfOpenai(place)) return undefined;
        return { ...all, ...openaiRule(place.gap, this.recorded.openai), tailBefore: 0 };
      default: {
        const share = place && (this.recorded.other[bucketOf(place.gap)] ?? this.recorded.anyOther);
        return share && { ...all, share, tailBefore: 0 };
      }
    }
  }

  /** True if the gap decides the reads from OpenAI's cache. They are unknown for a file without recorded reads. */
  #isToldOfOpenai({ gap }: Place): boolean {
    return this.recorded.readsRecorded && !Number.isNaN(gap);
  }

  longShare(index: number): Share {
    return this.places[index]?.longShare ?? 0;
  }

  /**
   * Tokens that a request reads.
   * @param shared tokens of the unchanged beginning of the previous request
   * @param before all tokens of the previous request
   */
  reads(index: number, sent: Tokens, shared: Tokens, before: Tokens): Reads {
    const place = this.places[index];
    if (place === undefined) return certain(0);
    const byRule = this.#readsByRule(place, index, sent, shared, before);
    if (place.found === undefined || byRule.likely === undefined) return byRule;
    const likely = readBy(place.found, Math.min(sent, shared), before);
    // Under another policy the cache might have followed the rule.
    return { likely, most: Math.max(likely, byRule.most), least: Math.min(likely, byRule.least) };
  }

  #readsByRule(place: Place, index: number, sent: Tokens, shared: Tokens, before: Tokens): Reads {
    const held = Math.max(0, Math.min(sent, shared, before - this.tail(index - 1)));
    switch (place.cache) {
      // The first request reads tokens that another session left.
      case "first":
        return certain(Math.min(place.afterMiss, sent));
      case "none":
        return certain(0);
      case "kept":
        // Without any recorded reads it is unknown if the cache served this request.
        return this.recorded.readsRecorded ? certain(held) : { likely: undefined, most: held, least: 0 };
      case "gone": {
        const most = Math.min(place.afterMiss, held);
        return { likely: most, most, least: 0 };
      }
      case "openai": {
        const most = Math.min(sent, shared);
        if (!this.#isToldOfOpenai(place)) return { likely: undefined, most, least: 0 };
        const likely = ofOpenai(most, place.gap, this.recorded.openai);
        return { likely, most, least: place.isPastLife ? 0 : likely };
      }
      case "other": {
        const share = this.recorded.other[bucketOf(place.gap)] ?? this.recorded.anyOther;
        const most = Math.min(sent, shared);
        return { likely: share && shareOf(most, share), most, least: 0 };
      }
      default:
        return place.cache satisfies never;
    }
  }
}

function certain(read: Tokens): Reads {
  return { likely: read, most: read, least: read };
}

function readBy({ most, share, step, tailBefore }: ReadRule, shared: Tokens, before: Tokens): Tokens {
  const read = shareOf(Math.max(0, Math.min(shared, before - tailBefore)), share);
  return Math.min(read - (read % step), most);
}

function placesOf(
  requests: readonly PricedRequest[],
  { pairs, found }: RecordedCache,
  { ttl = "recorded", hasPauses = true, asFound = false }: CacheTerms,
): readonly Place[] {
  let leastRead = Number.POSITIVE_INFINITY;
  return requests.map((request, index): Place => {
    const recorded = pairs[index - 1];
    const pair = recorded && !hasPauses ? { ...recorded, gap: 0 } : recorded;
    const cache = cacheOf(request, pair, ttl);
    const isAsFound = asFound && findsAsRecorded(cache, request, pair, recorded);
    const place = {
      cache,
      found: isAsFound ? foundBeside(cache, found[index - 1]) : undefined,
      afterMiss: pair === undefined ? request.read : leastRead < MOST_AFTER_MISS ? leastRead : 0,
      gap: pair?.gap ?? Number.NaN,
      isPastLife: pair !== undefined && pair.gap > pair.ttl,
      tail: tailOf(request),
      longShare: longShare(request, pair, ttl),
    };
    // Reads of this session itself after misses: the smallest read so far.
    if (request.read > 0) leastRead = Math.min(leastRead, request.read);
    return place;
  });
}

/** Checks that the assumptions about the cache do not change a recorded request's reads. */
function findsAsRecorded(
  cache: Place["cache"],
  request: PricedRequest,
  pair: Pair | undefined,
  recorded: Pair | undefined,
): boolean {
  if (pair === undefined || recorded === undefined || cache !== cacheOf(request, recorded, "recorded")) return false;
  return pair === recorded || cache === "kept" || bucketOf(pair.gap) === bucketOf(recorded.gap);
}

/** Returns the recorded finding, unless it equals the rule: that everything is there. */
function foundBeside(cache: Place["cache"], found: ReadRule | undefined): ReadRule | undefined {
  const isAll = found?.share === WHOLE && found.most === Number.POSITIVE_INFINITY;
  return cache === "kept" && isAll ? undefined : found;
}

function cacheOf(request: PricedRequest, pair: Pair | undefined, ttl: Ttl): Place["cache"] {
  if (pair === undefined) return "first";
  if (pair.before.modelId !== pair.now.modelId) return "none";
  const provider = request.entry?.provider ?? "other";
  if (provider !== "anthropic") return provider;
  const kept = ttl === "recorded" ? pair.ttl : CHOSEN_TTLS[ttl];
  return pair.gap > kept + SLACK ? "gone" : "kept";
}

function longShare({ write5m, write1h }: PricedRequest, pair: Pair | undefined, ttl: Ttl): Share {
  if (ttl !== "recorded") return ttl === "1h" ? 1 : 0;
  if (write5m + write1h > 0) return write1h / (write5m + write1h);
  return pair?.ttl === TTLS.long ? 1 : 0;
}

/** Checks that all recorded writes have this cache TTL anyway, wherever TTLs are sold: then choosing it changes nothing. */
export function isKeptAsRecorded(
  requests: readonly PricedRequest[],
  pairs: readonly Pair[],
  chosen: ChosenTtl,
): boolean {
  return requests.every((request, index) => {
    const pair = pairs[index - 1];
    if (!isSold(request)) return true;
    const isWritten = longShare(request, pair, chosen) === longShare(request, pair, "recorded");
    return isWritten && (pair === undefined || pair.ttl === CHOSEN_TTLS[chosen]);
  });
}
