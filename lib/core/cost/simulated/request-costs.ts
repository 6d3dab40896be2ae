import type { Share, Tokens } from "../../base/units";
import type { CacheModel } from "../cache-model";
import { cacheWrites } from "../cost-sum";
import type { ReadRule } from "../found-in-cache";

/** Prices are per million tokens. */
const UNIT = 1e6;

/** A cache that returns less than this share has dropped something. */
const WARM: Share = 0.9;

/** Additional cost of a larger context at a request compared with a smaller one with no fewer new tokens and no more possible reads. */
interface Comparison {
  /** A context that is larger by at least this many tokens costs no less. Infinite if larger requests have lower rates. */
  readonly clear: Tokens;
  /** Maximum price difference between an uncached token and a read one. */
  readonly spread: number;
  /** Maximum by which the reads may grow more than the context, because caches hold multiples of some number of tokens. */
  readonly rounding: Tokens;
}

/**
 * Cost of every request of a session with any context, for millions of calls: columns, and arithmetic in doubles. It equals `simulatedCost` by the
 * rule, without rounding. In micro-dollars.
 */
export class RequestCosts {
  readonly length: number;
  /** By tier and request: minimum size for its rates, and the prices of a token. */
  readonly #from: Float64Array;
  readonly #read: Float64Array;
  readonly #plain: Float64Array;
  readonly #write: Float64Array;
  readonly #output: Float64Array;
  /** By tier and request, the uncached tokens that no cache takes. */
  readonly #mostPlain: Float64Array;
  readonly #tiers: number;
  readonly #most: Float64Array;
  readonly #part: Float64Array;
  readonly #whole: Float64Array;
  readonly #step: Float64Array;
  readonly #tailBefore: Float64Array;
  /** Output tokens. */
  readonly #answer: Float64Array;

  /** `undefined` if a request has no price, or its reads are unknown. */
  static of(cache: CacheModel): RequestCosts | undefined {
    const rules = cache.requests.map((_, index) => cache.readRule(index));
    const known = rules.filter((rule) => rule !== undefined);
    const isPriced = cache.requests.every(({ tiers }) => tiers.length > 0);
    return isPriced && known.length === rules.length ? new RequestCosts(cache, known) : undefined;
  }

  private constructor(cache: CacheModel, rules: readonly ReadRule[]) {
    const { requests } = cache;
    this.length = requests.length;
    this.#tiers = Math.max(1, ...requests.map(({ tiers }) => tiers.length));
    const table = (otherwise: number) => new Float64Array(this.#tiers * this.length).fill(otherwise);
    this.#from = table(Number.POSITIVE_INFINITY);
    [this.#read, this.#plain, this.#write, this.#output, this.#mostPlain] = [
      table(0),
      table(0),
      table(0),
      table(0),
      table(0),
    ];
    requests.forEach((request, index) => {
      const perToken = request.factor / UNIT;
      request.tiers.forEach(({ from, rates }, tier) => {
        const at = tier * this.length + index;
        const writes = cacheWrites(request, rates);
        const long = writes === "always" ? cache.longShare(index) : 0;
        this.#from[at] = tier === 0 ? 0 : from;
        this.#read[at] = rates.read * perToken;
        this.#plain[at] = rates.input * perToken;
        this.#write[at] = (rates.write5m * (1 - long) + rates.write1h * long) * perToken;
        this.#output[at] = rates.output * perToken;
        this.#mostPlain[at] =
          writes === "never" ? Number.POSITIVE_INFINITY : writes === "always" ? cache.tail(index) : 0;
      });
    });
    this.#most = Float64Array.from(rules, ({ most }) => most);
    this.#part = Float64Array.from(rules, ({ share }) => share.part);
    this.#whole = Float64Array.from(rules, ({ share }) => share.whole);
    this.#step = Float64Array.from(rules, ({ step }) => step);
    this.#tailBefore = Float64Array.from(rules, ({ tailBefore }) => tailBefore);
    this.#answer = Float64Array.from(requests, ({ output }) => output);
  }

  /**
   * Cost of a request with its output.
   * @param shared tokens of the unchanged beginning of the previous request
   * @param before all tokens of the previous request
   */
  request(index: number, sent: Tokens, shared: Tokens, before: Tokens): number {
    return this.#cost(index, sent, this.#reads(index, sent, shared, before), this.#answer[index] ?? 0);
  }

  /**
   * Cost of a summary call before a request that begins with the previously sent context.
   * @param output the summary
   */
  callSharing(index: number, sent: Tokens, output: Tokens, before: Tokens): number {
    return this.#cost(index, sent, this.#reads(index, sent, before, before), output);
  }

  /** Cost of a summary call before a request with no common beginning: all of it is plain input. */
  callAlone(index: number, sent: Tokens, output: Tokens): number {
    const at = this.#tierOf(index, sent);
    return sent * (this.#plain[at] ?? 0) + output * (this.#output[at] ?? 0);
  }

  /** Cost of a request with its output, with other reads than its own: after an action in the pause before it. */
  requestBy(rule: ReadRule, index: number, sent: Tokens, shared: Tokens, before: Tokens): number {
    return this.#cost(index, sent, readsBy(rule, sent, shared, before), this.#answer[index] ?? 0);
  }

  /** Cost of a summary call by a request's model that begins with the previously sent context, with other reads than that request's. */
  callSharingBy(rule: ReadRule, index: number, sent: Tokens, output: Tokens, before: Tokens): number {
    return this.#cost(index, sent, readsBy(rule, sent, before, before), output);
  }

  /** Cost of a keep-alive request after a request: it reads the cached part of the context, and answers with one token. */
  refresh(index: number, sent: Tokens): number {
    const tail = this.#mostPlain[this.#tierOf(index, sent)] ?? 0;
    return this.#cost(index, sent, Math.max(0, sent - tail), 1);
  }

  /** True if little of the previously sent context is still in the cache. */
  isCold(index: number): boolean {
    const share = (this.#part[index] ?? 0) / (this.#whole[index] ?? 1);
    return share < WARM || (this.#most[index] ?? 0) < Number.POSITIVE_INFINITY;
  }

  /** Compares contexts of different sizes at a request. */
  comparison(index: number): Comparison {
    const step = this.#step[index] ?? 1;
    const share = (this.#part[index] ?? 0) / (this.#whole[index] ?? 1);
    const rounding = step === 1 && this.#whole[index] === 1 ? 0 : step;
    let [clear, spread] = [0, 0];
    let smaller: readonly number[] = [];
    for (let at = index; at < this.#from.length && this.#from[at] !== Number.POSITIVE_INFINITY; at += this.length) {
      const prices = this.#pricesAt(at);
      if (smaller.some((price, part) => price > (prices[part] ?? 0))) clear = Number.POSITIVE_INFINITY;
      smaller = prices;
      const [read, , , ...uncached] = prices;
      const extra = Math.max(0, ...uncached.map((price) => price - read));
      spread = Math.max(spread, extra);
      // A share of the `clear` additional tokens is read and the rest is new. Their cost makes up for the tokens that rounding moves from read to
      // new.
      if (rounding * extra > 0) clear = Math.max(clear, (rounding * extra) / (read + (1 - share) * extra));
    }
    return { clear, spread, rounding };
  }

  /** Prices of a read token, a plain one, an output token, and of the first and further uncached tokens. */
  #pricesAt(at: number): readonly [number, number, number, number, number] {
    const [plain, write, mostPlain] = [this.#plain[at] ?? 0, this.#write[at] ?? 0, this.#mostPlain[at] ?? 0];
    const uncached = [mostPlain > 0 ? plain : write, mostPlain < Number.POSITIVE_INFINITY ? write : plain] as const;
    return [this.#read[at] ?? 0, plain, this.#output[at] ?? 0, ...uncached];
  }

  #reads(index: number, sent: Tokens, shared: Tokens, before: Tokens): Tokens {
    // The first request reads tokens that another session left.
    const held = index === 0 ? sent : Math.max(0, Math.min(sent, shared, before - (this.#tailBefore[index] ?? 0)));
    const step = this.#step[index] ?? 1;
    const whole = this.#whole[index] ?? 1;
    const share = whole === 1 ? held : wholeParts(held * (this.#part[index] ?? 0), whole);
    return Math.min(step === 1 ? share : wholeParts(share, step) * step, this.#most[index] ?? 0);
  }

  #cost(index: number, sent: Tokens, read: Tokens, output: Tokens): number {
    const at = this.#tierOf(index, sent);
    const plain = Math.min(sent - read, this.#mostPlain[at] ?? 0);
    return (
      read * (this.#read[at] ?? 0) +
      plain * (this.#plain[at] ?? 0) +
      (sent - read - plain) * (this.#write[at] ?? 0) +
      output * (this.#output[at] ?? 0)
    );
  }

  /** Index of the rates for a size. */
  #tierOf(index: number, sent: Tokens): number {
    let at = index;
    for (let tier = 1; tier < this.#tiers; tier++) {
      if (sent < (this.#from[tier * this.length + index] ?? 0)) break;
      at = tier * this.length + index;
    }
    return at;
  }
}

function readsBy({ most, share, step, tailBefore }: ReadRule, sent: Tokens, shared: Tokens, before: Tokens): Tokens {
  const held = Math.max(0, Math.min(sent, shared, before - tailBefore));
  const part = share.whole === 1 ? held : wholeParts(held * share.part, share.whole);
  return Math.min(step === 1 ? part : wholeParts(part, step) * step, most);
}

/** Integer quotient of two numbers, several times as fast as with a remainder. The division can only be rounded up too far. */
function wholeParts(all: number, part: number): number {
  const parts = Math.floor(all / part);
  return parts * part > all ? parts - 1 : parts;
}
