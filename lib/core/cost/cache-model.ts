import type { Milliseconds, RequestIndex, Share, Tokens } from "../base/units";
import { bucketOf, openaiRule, readFromOpenai, SLACK, shareOf, WHOLE } from "./cache-shares";
import { type Pair, TTLS, ttlAfter } from "./chain";
import { MAX_AFTER_MISS, type ReadRule, tailOf } from "./found-in-cache";
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

/**
 * Facts about the cache at a request, which decide its reads and the price of its other tokens. They do not depend on the sent contexts, so only a
 * replay that acts in pauses changes them.
 */
export interface CacheFacts {
  readonly cache: "first" | "none" | "kept" | "gone" | "openai" | "other";
  /** Rule for the tokens that the recorded request found in the cache; `undefined` if simulations do not use it, or if everything was found. */
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
  /**
   * True if simulated requests find the same tokens in the cache as the recorded ones, more or less than by the rule; otherwise the rule alone
   * decides.
   */
  readonly asFound?: boolean;
}

/** Cache rule for the requests of one session and one cache TTL. Source: docs/prices.md, "Cost of a simulation". */
export class CacheModel {
  private constructor(
    private readonly recorded: RecordedCache,
    readonly requests: readonly PricedRequest[],
    private readonly facts: readonly CacheFacts[],
    private readonly terms: CacheTerms,
  ) {}

  static of(recorded: RecordedCache, requests: readonly PricedRequest[], terms: CacheTerms): CacheModel {
    return new CacheModel(recorded, requests, factsOf(requests, recorded, terms), terms);
  }

  /** Same model for the same requests at other prices. */
  repriced(requests: readonly PricedRequest[]): CacheModel {
    return new CacheModel(this.recorded, requests, this.facts, this.terms);
  }

  /** True if any request records cache writes. */
  get writesSeen(): boolean {
    return this.recorded.writesSeen;
  }

  /** Index of the request with recorded usage at a point, else of the next such request, else of the last. */
  indexAt(point: RequestIndex): number {
    return this.recorded.indexAt(point) ?? this.requests.length - 1;
  }

  /** Time between a request and the one before it; NaN if one has no time, infinite after the last request. */
  gap(index: number): Milliseconds {
    return index >= this.requests.length ? Number.POSITIVE_INFINITY : (this.facts[index]?.gap ?? Number.NaN);
  }

  /** Cache TTL of the tokens that a request left. */
  ttlAfter(index: number): Milliseconds {
    const { ttl = "recorded" } = this.terms;
    const request = this.requests[index];
    const isChosen = ttl !== "recorded" && request !== undefined && isSold(request);
    return isChosen ? CHOSEN_TTLS[ttl] : ttlAfter(this.requests, index);
  }

  /** True if the tokens that a request left are cached for an hour. */
  isLongAfter(index: number): boolean {
    return this.ttlAfter(index) === TTLS.long;
  }

  /** Facts for a request if the cache had last been used this long before it. */
  factsAfter(index: number, gap: Milliseconds): CacheFacts | undefined {
    const { ttl = "recorded", asFound = false } = this.terms;
    const [own, request, recorded] = [this.facts[index], this.requests[index], this.recorded.pairs[index - 1]];
    if (own === undefined || request === undefined || recorded === undefined) return own;
    const pair = { ...recorded, gap };
    const cache = cacheOf(request, pair, ttl);
    const isAsFound = asFound && findsAsRecorded(cache, request, pair, recorded);
    const found = isAsFound ? foundAgainstRule(cache, this.recorded.found[index - 1]) : undefined;
    return { ...own, cache, found, gap, isPastLife: gap > pair.ttl };
  }

  /** Facts for a call by the same model in the pause after a request, this long after the last use of the cache. */
  factsInPause(index: number, gap: Milliseconds): CacheFacts | undefined {
    const [own, request] = [this.facts[index], this.requests[index]];
    if (own === undefined || request === undefined) return undefined;
    const ttl = this.ttlAfter(index);
    const pair = { before: request, now: request, gap, isChanged: false, ttl };
    const reads = this.requests.slice(0, index + 1).flatMap(({ read }) => (read > 0 ? [read] : []));
    const least = Math.min(...reads);
    const afterMiss = least < MAX_AFTER_MISS ? least : 0;
    return {
      ...own,
      cache: cacheOf(request, pair, "recorded"),
      found: undefined,
      afterMiss,
      gap,
      isPastLife: gap > ttl,
    };
  }

  /** True if an action in the pause before a request leaves the request's reads unchanged. */
  readsAlike(index: number, facts: CacheFacts | undefined): boolean {
    const own = this.facts[index];
    const isAlike = own?.cache === facts?.cache && own?.found === facts?.found;
    const dependsOnGap = own?.cache === "openai" || own?.cache === "other";
    return isAlike && (!dependsOnGap || own?.gap === facts?.gap);
  }

  /** Number of a request's uncached tokens at the price of plain input, because no cache takes them. */
  tail(index: number): Tokens {
    return this.facts[index]?.tail ?? 0;
  }

  /**
   * Maximum tokens that a request reads if the contexts alone decide the number: infinite if the cache sets no limit. -1 if other facts decide too.
   */
  mostRead(index: number): Tokens {
    const facts = this.facts[index];
    if (facts?.found !== undefined) return -1;
    switch (facts?.cache) {
      case "first":
        return facts.afterMiss;
      case "none":
        return 0;
      case "kept":
        return this.recorded.readsRecorded ? Number.POSITIVE_INFINITY : -1;
      default:
        return -1;
    }
  }

  /** Most likely reads of a request, as numbers; `undefined` if unknown. `reads` follows the same rule. */
  readRule(index: number, facts = this.facts[index]): ReadRule | undefined {
    const rule = this.#ruleAt(facts, index);
    return rule && (facts?.found ?? rule);
  }

  #ruleAt(facts: CacheFacts | undefined, index: number): ReadRule | undefined {
    const all = { most: Number.POSITIVE_INFINITY, share: WHOLE, step: 1, tailBefore: this.tail(index - 1) };
    switch (facts?.cache) {
      case "first":
      case "gone":
        return { ...all, most: facts.afterMiss };
      case "none":
        return { ...all, most: 0 };
      case "kept":
        return this.recorded.readsRecorded ? all : undefined;
      case "openai":
        if (!this.#knowsOpenaiReads(facts)) return undefined;
        return { ...all, ...openaiRule(facts.gap, this.recorded.openai), tailBefore: 0 };
      default: {
        const share = facts && (this.recorded.other[bucketOf(facts.gap)] ?? this.recorded.anyOther);
        return share && { ...all, share, tailBefore: 0 };
      }
    }
  }

  /** True if the gap decides the reads from OpenAI's cache. They are unknown for a file without recorded reads. */
  #knowsOpenaiReads({ gap }: CacheFacts): boolean {
    return this.recorded.readsRecorded && !Number.isNaN(gap);
  }

  longShare(index: number): Share {
    return this.facts[index]?.longShare ?? 0;
  }

  /**
   * Tokens that a request reads.
   * @param shared tokens of the unchanged beginning of the previous request
   * @param before all tokens of the previous request
   * @param facts others than the request's own, after an action in the pause before it
   */
  reads(index: number, sent: Tokens, shared: Tokens, before: Tokens, facts = this.facts[index]): Reads {
    if (facts === undefined) return certain(0);
    const byRule = this.#readsByRule(facts, index, sent, shared, before);
    if (facts.found === undefined || byRule.likely === undefined) return byRule;
    const likely = readBy(facts.found, Math.min(sent, shared), before);
    // Under another policy the cache might have followed the rule.
    return { likely, most: Math.max(likely, byRule.most), least: Math.min(likely, byRule.least) };
  }

  #readsByRule(facts: CacheFacts, index: number, sent: Tokens, shared: Tokens, before: Tokens): Reads {
    const held = Math.max(0, Math.min(sent, shared, before - this.tail(index - 1)));
    switch (facts.cache) {
      // The first request reads tokens that another session left.
      case "first":
        return certain(Math.min(facts.afterMiss, sent));
      case "none":
        return certain(0);
      case "kept":
        // Without any recorded reads it is unknown if the cache served this request.
        return this.recorded.readsRecorded ? certain(held) : { likely: undefined, most: held, least: 0 };
      case "gone": {
        const most = Math.min(facts.afterMiss, held);
        return { likely: most, most, least: 0 };
      }
      case "openai": {
        const most = Math.min(sent, shared);
        if (!this.#knowsOpenaiReads(facts)) return { likely: undefined, most, least: 0 };
        const likely = readFromOpenai(most, facts.gap, this.recorded.openai);
        return { likely, most, least: facts.isPastLife ? 0 : likely };
      }
      case "other": {
        const share = this.recorded.other[bucketOf(facts.gap)] ?? this.recorded.anyOther;
        const most = Math.min(sent, shared);
        return { likely: share && shareOf(most, share), most, least: 0 };
      }
      default:
        return facts.cache satisfies never;
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

function factsOf(
  requests: readonly PricedRequest[],
  { pairs, found }: RecordedCache,
  { ttl = "recorded", hasPauses = true, asFound = false }: CacheTerms,
): readonly CacheFacts[] {
  let leastRead = Number.POSITIVE_INFINITY;
  return requests.map((request, index): CacheFacts => {
    const recorded = pairs[index - 1];
    const pair = recorded && !hasPauses ? { ...recorded, gap: 0 } : recorded;
    const cache = cacheOf(request, pair, ttl);
    const isAsFound = asFound && findsAsRecorded(cache, request, pair, recorded);
    const facts = {
      cache,
      found: isAsFound ? foundAgainstRule(cache, found[index - 1]) : undefined,
      afterMiss: pair === undefined ? request.read : leastRead < MAX_AFTER_MISS ? leastRead : 0,
      gap: pair?.gap ?? Number.NaN,
      isPastLife: pair !== undefined && pair.gap > pair.ttl,
      tail: tailOf(request),
      longShare: longShare(request, pair, ttl),
    };
    // The smallest read of this session so far, as an estimate of the reads after a miss.
    if (request.read > 0) leastRead = Math.min(leastRead, request.read);
    return facts;
  });
}

/** True if the assumptions about the cache do not change a recorded request's reads. */
function findsAsRecorded(
  cache: CacheFacts["cache"],
  request: PricedRequest,
  pair: Pair | undefined,
  recorded: Pair | undefined,
): boolean {
  if (pair === undefined || recorded === undefined || cache !== cacheOf(request, recorded, "recorded")) return false;
  return pair === recorded || cache === "kept" || bucketOf(pair.gap) === bucketOf(recorded.gap);
}

/** Returns the recorded rule; `undefined` if it equals the cache's own rule, by which everything is read. */
function foundAgainstRule(cache: CacheFacts["cache"], found: ReadRule | undefined): ReadRule | undefined {
  const isAll = found?.share === WHOLE && found.most === Number.POSITIVE_INFINITY;
  return cache === "kept" && isAll ? undefined : found;
}

function cacheOf(request: PricedRequest, pair: Pair | undefined, ttl: Ttl): CacheFacts["cache"] {
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

/** True if all recorded writes of providers that sell TTLs have this cache TTL: then choosing it changes nothing. */
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
