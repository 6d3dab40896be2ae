import type { Tokens } from "../base/units";
import type { Rates } from "../prices/model";
import type { CacheModel } from "./cache-model";
import { costOfOne } from "./money";
import type { PricedRequest } from "./priced-requests";
import { type Cost, costOfRequest } from "./recorded-cost";

/** Prices are per million tokens. */
const UNIT = 1e6;

/** Rates of a request as columns: what it costs at them, and from which size on they hold. */
class Rows {
  readonly from: Float64Array;
  readonly input: Float64Array;
  readonly read: Float64Array;
  readonly write: Float64Array;
  /** What its answer costs. */
  readonly output: Float64Array;
  /** Contexts up to this size have exact products. */
  readonly largest: Float64Array;

  constructor(cache: CacheModel, tier: number) {
    const { requests } = cache;
    const column = (value: (rates: Rates, index: number) => number, otherwise = 0) =>
      columnOf(requests, ({ tiers }, index) => {
        const rates = tiers[tier]?.rates;
        return rates === undefined ? otherwise : value(rates, index);
      });
    this.from = column((_, index) => requests[index]?.tiers[tier]?.from ?? 0, Number.POSITIVE_INFINITY);
    // A price of one size leaves the other columns empty.
    if (!requests.some(({ tiers }) => tiers.length > tier)) {
      const none = new Float64Array(requests.length);
      [this.input, this.read, this.write, this.output, this.largest] = [none, none, none, none, none];
      return;
    }
    this.input = column(({ input }) => input);
    this.read = column(({ read }) => read);
    this.write = column(({ write5m, write1h }, index) => (cache.longShare(index) === 1 ? write1h : write5m));
    this.output = column(({ output }, index) => costOfOne(requests[index]?.output ?? 0, output, 1));
    this.largest = column(({ input, read, write5m, write1h }) => {
      return (Number.MAX_SAFE_INTEGER - UNIT) / Math.max(1, input, read, write5m, write1h);
    });
  }
}

/**
 * The requests of a session as columns, for pricing a replay thousands of times: those whose reads follow from the contexts alone need no object. All
 * others have no lane and are priced by `CostSum`, which gives the same figures for these too.
 */
export class SureRequests {
  readonly length: number;
  readonly #point: Int32Array;
  readonly #sent: Float64Array;
  /** What a request reads at most; -1 where it has no lane. */
  readonly #most: Float64Array;
  readonly #tail: Float64Array;
  readonly #small: Rows;
  readonly #large: Rows;
  readonly #requests: readonly PricedRequest[];
  /** What requests cost as they were recorded, once that was asked for. */
  readonly #known: (Cost | undefined)[] = [];

  constructor(cache: CacheModel) {
    const { requests } = cache;
    const column = (value: (request: PricedRequest, index: number) => number) => columnOf(requests, value);
    this.length = requests.length;
    this.#point = Int32Array.from(requests, ({ request }) => request);
    this.#sent = column(({ sent }) => sent);
    this.#most = column((request, index) => (hasLane(request, cache.longShare(index)) ? cache.mostRead(index) : -1));
    this.#tail = column((_, index) => cache.tail(index));
    [this.#small, this.#large] = [new Rows(cache, 0), new Rows(cache, 1)];
    this.#requests = requests;
  }

  point(index: number): number {
    return this.#point[index] ?? 0;
  }

  /** What a request cost that sent as much as was recorded; `undefined` where it has no price, or another context. */
  known(index: number, sent: Tokens): Cost | undefined {
    const request = this.#requests[index];
    if (request === undefined || sent !== this.#sent[index]) return undefined;
    this.#known[index] ??= costOfRequest(request);
    return this.#known[index];
  }

  /** Adds a request's cost to a sum, where it has a lane. Whether it has one. */
  add(sum: SureSum, index: number, sent: Tokens, shared: Tokens, before: Tokens): boolean {
    const most = this.#most[index] ?? -1;
    const rows = sent >= (this.#large.from[index] ?? 0) ? this.#large : this.#small;
    if (most < 0 || sent > (rows.largest[index] ?? 0)) return false;
    const held = Math.min(sent, most, shared, before - (this.#tail[index - 1] ?? 0));
    const read = index === 0 ? Math.min(sent, most) : Math.max(0, held);
    const plain = Math.min(sent - read, this.#tail[index] ?? 0);
    sum.read += Math.floor((read * (rows.read[index] ?? 0) + UNIT / 2) / UNIT);
    sum.plain += Math.floor((plain * (rows.input[index] ?? 0) + UNIT / 2) / UNIT);
    sum.write += Math.floor(((sent - read - plain) * (rows.write[index] ?? 0) + UNIT / 2) / UNIT);
    sum.output += rows.output[index] ?? 0;
    return true;
  }
}

/** A value of every request. `Float64Array.from` takes several times as long, and this is done for every price under which a session is replayed. */
function columnOf(
  requests: readonly PricedRequest[],
  value: (request: PricedRequest, index: number) => number,
): Float64Array {
  const column = new Float64Array(requests.length);
  requests.forEach((request, index) => {
    column[index] = value(request, index);
  });
  return column;
}

/** What sure requests come to together. */
export interface SureSum {
  read: number;
  write: number;
  plain: number;
  output: number;
}

/** At most two tiers, one lifetime, no factor, and a provider that writes what is not read: then nothing but the contexts decides. */
function hasLane({ entry, tiers, factor }: PricedRequest, longShare: number): boolean {
  const isPlain = factor === 1 && (longShare === 0 || longShare === 1);
  return isPlain && (tiers.length === 1 || tiers.length === 2) && entry?.provider === "anthropic";
}
