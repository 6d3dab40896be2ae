import type { Milliseconds, RequestIndex, Share, Tokens } from "../base/units";
import { bucketOf, ofOpenai, openaiRule, SLACK, shareOf, WHOLE } from "./cache-shares";
import { LIFETIMES, type Pair } from "./chain";
import { MOST_AFTER_MISS, type ReadRule, tailOf } from "./found-in-cache";
import { CHOSEN_LIFETIMES, type ChosenLifetime, isSold } from "./other-lifetime";
import type { PricedRequest } from "./priced-requests";
import type { RecordedCache } from "./recorded-cache";

/** How long what is written is kept, if the provider sells lifetimes. */
export type Lifetime = ChosenLifetime | "recorded";

/** How much is read: most likely, at most and at least. */
export interface Reads {
  readonly likely: Tokens | undefined;
  readonly most: Tokens;
  readonly least: Tokens;
}

/**
 * The circumstances that decide what a request may read, and how it pays for the rest. They do not depend on the contexts that are sent, so no replay
 * changes them.
 */
interface Place {
  readonly cache: "first" | "none" | "kept" | "gone" | "openai" | "other";
  /** What the recorded request found in the cache, where simulations find the same and that is not just all of it. */
  readonly found: ReadRule | undefined;
  /** What a request reads even if its cache is gone. */
  readonly afterMiss: Tokens;
  readonly gap: Milliseconds;
  /** Whether OpenAI's cache may have dropped everything. */
  readonly isPastLife: boolean;
  /** Number of tokens after the last place that is cached, which are in no cache: all of a request that was sent without a cache. */
  readonly tail: Tokens;
  /** The share of what it writes that is kept for an hour. */
  readonly longShare: Share;
}

/** What is assumed of a session's caches. */
interface CacheTerms {
  readonly lifetime?: Lifetime;
  /** Whether requests were as far apart as recorded; else each followed at once on the one before it. */
  readonly hasPauses?: boolean;
  /** Whether a request finds in the cache what the recorded one found there, more or less than the rule says; else the rule alone decides. */
  readonly asFound?: boolean;
}

/** The rule of the caches for the requests of one session and one lifetime. Source: docs/prices.md, "What a simulation costs". */
export class CacheModel {
  private constructor(
    private readonly recorded: RecordedCache,
    readonly requests: readonly PricedRequest[],
    private readonly places: readonly Place[],
  ) {}

  static of(recorded: RecordedCache, requests: readonly PricedRequest[], terms: CacheTerms): CacheModel {
    return new CacheModel(recorded, requests, placesOf(requests, recorded, terms));
  }

  /** The same for the same requests at other prices. */
  repriced(requests: readonly PricedRequest[]): CacheModel {
    return new CacheModel(this.recorded, requests, this.places);
  }

  /** Whether any request records that it wrote something. */
  get writesSeen(): boolean {
    return this.recorded.writesSeen;
  }

  /** Index of the request with recorded usage at a point, else of the next one, else of the last. */
  indexAt(point: RequestIndex): number {
    return this.recorded.indexAt(point) ?? this.requests.length - 1;
  }

  /** How many of the tokens that a request does not read it pays for as plain input, because no cache takes them. */
  tail(index: number): Tokens {
    return this.places[index]?.tail ?? 0;
  }

  /** What a request reads at most, where its contexts alone decide how much of it: without a limit of the cache, infinite. -1 where they do not. */
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

  /** How much a request most likely reads, as numbers; `undefined` where nothing tells. `reads` follows the same rule. */
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

  /** What OpenAI's cache returns depends on the gap, and is not known of a file that never says what was read. */
  #isToldOfOpenai({ gap }: Place): boolean {
    return this.recorded.readsRecorded && !Number.isNaN(gap);
  }

  longShare(index: number): Share {
    return this.places[index]?.longShare ?? 0;
  }

  /**
   * What a request reads.
   * @param shared tokens of the unchanged beginning of what the request before it sent
   * @param before everything that the request before it sent
   */
  reads(index: number, sent: Tokens, shared: Tokens, before: Tokens): Reads {
    const place = this.places[index];
    if (place === undefined) return certain(0);
    const byRule = this.#readsByRule(place, index, sent, shared, before);
    if (place.found === undefined || byRule.likely === undefined) return byRule;
    const likely = readBy(place.found, Math.min(sent, shared), before);
    // Under another policy the cache might have done as the rule says.
    return { likely, most: Math.max(likely, byRule.most), least: Math.min(likely, byRule.least) };
  }

  #readsByRule(place: Place, index: number, sent: Tokens, shared: Tokens, before: Tokens): Reads {
    const held = Math.max(0, Math.min(sent, shared, before - this.tail(index - 1)));
    switch (place.cache) {
      // The first request reads what another session left.
      case "first":
        return certain(Math.min(place.afterMiss, sent));
      case "none":
        return certain(0);
      case "kept":
        // If the file never says what was read, it is not known whether anything was.
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
  { lifetime = "recorded", hasPauses = true, asFound = false }: CacheTerms,
): readonly Place[] {
  let leastRead = Number.POSITIVE_INFINITY;
  return requests.map((request, index): Place => {
    const recorded = pairs[index - 1];
    const pair = recorded && !hasPauses ? { ...recorded, gap: 0 } : recorded;
    const cache = cacheOf(request, pair, lifetime);
    const isAsFound = asFound && findsAsRecorded(cache, request, pair, recorded);
    const place = {
      cache,
      found: isAsFound ? foundBeside(cache, found[index - 1]) : undefined,
      afterMiss: pair === undefined ? request.read : leastRead < MOST_AFTER_MISS ? leastRead : 0,
      gap: pair?.gap ?? Number.NaN,
      isPastLife: pair !== undefined && pair.gap > pair.lifetime,
      tail: tailOf(request),
      longShare: longShare(request, pair, lifetime),
    };
    // What this session itself read after misses: the smallest read so far.
    if (request.read > 0) leastRead = Math.min(leastRead, request.read);
    return place;
  });
}

/** Whether what is assumed of the cache leaves a request's place in it as it was recorded. */
function findsAsRecorded(
  cache: Place["cache"],
  request: PricedRequest,
  pair: Pair | undefined,
  recorded: Pair | undefined,
): boolean {
  if (pair === undefined || recorded === undefined || cache !== cacheOf(request, recorded, "recorded")) return false;
  return pair === recorded || cache === "kept" || bucketOf(pair.gap) === bucketOf(recorded.gap);
}

/** What was found, unless the rule says the same: that all of it is there. */
function foundBeside(cache: Place["cache"], found: ReadRule | undefined): ReadRule | undefined {
  const isAll = found?.share === WHOLE && found.most === Number.POSITIVE_INFINITY;
  return cache === "kept" && isAll ? undefined : found;
}

function cacheOf(request: PricedRequest, pair: Pair | undefined, lifetime: Lifetime): Place["cache"] {
  if (pair === undefined) return "first";
  if (pair.before.modelId !== pair.now.modelId) return "none";
  const provider = request.entry?.provider ?? "other";
  if (provider !== "anthropic") return provider;
  const kept = lifetime === "recorded" ? pair.lifetime : CHOSEN_LIFETIMES[lifetime];
  return pair.gap > kept + SLACK ? "gone" : "kept";
}

function longShare({ write5m, write1h }: PricedRequest, pair: Pair | undefined, lifetime: Lifetime): Share {
  if (lifetime !== "recorded") return lifetime === "1h" ? 1 : 0;
  if (write5m + write1h > 0) return write1h / (write5m + write1h);
  return pair?.lifetime === LIFETIMES.long ? 1 : 0;
}

/** Whether all that was recorded is kept for this lifetime anyway, wherever lifetimes are sold: then choosing it changes nothing. */
export function isKeptAsRecorded(
  requests: readonly PricedRequest[],
  pairs: readonly Pair[],
  chosen: ChosenLifetime,
): boolean {
  return requests.every((request, index) => {
    const pair = pairs[index - 1];
    if (!isSold(request)) return true;
    const isWritten = longShare(request, pair, chosen) === longShare(request, pair, "recorded");
    return isWritten && (pair === undefined || pair.lifetime === CHOSEN_LIFETIMES[chosen]);
  });
}
