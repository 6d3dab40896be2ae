import type { Tokens } from "../base/units";
import type { CacheModel } from "./cache-model";
import { costOfOne } from "./money";
import type { PricedRequest } from "./priced-requests";
import { type Cost, costOfRequest } from "./recorded-cost";

/** Prices are per million tokens. */
const UNIT = 1e6;

/** Rates of requests as columns: what they cost at them, and from which size on they hold. */
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
    const column = () => new Float64Array(requests.length);
    this.from = column().fill(Number.POSITIVE_INFINITY);
    [this.input, this.read, this.write, this.output, this.largest] = [column(), column(), column(), column(), column()];
    for (let index = 0; index < requests.length; index++) {
      const request = requests[index];
      const sized = request?.tiers[tier];
      if (request === undefined || sized === undefined) continue;
      const { input, read, write5m, write1h, output } = sized.rates;
      this.from[index] = sized.from;
      this.input[index] = input;
      this.read[index] = read;
      this.write[index] = cache.longShare(index) === 1 ? write1h : write5m;
      this.output[index] = costOfOne(request.output, output, 1);
      this.largest[index] = (Number.MAX_SAFE_INTEGER - UNIT) / Math.max(1, input, read, write5m, write1h);
    }
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
    const column = () => new Float64Array(requests.length);
    this.length = requests.length;
    this.#point = new Int32Array(requests.length);
    [this.#sent, this.#most, this.#tail] = [column(), column(), column()];
    for (let index = 0; index < requests.length; index++) {
      const request = requests[index];
      if (request === undefined) continue;
      this.#point[index] = request.request;
      this.#sent[index] = request.sent;
      this.#most[index] = hasLane(request, cache.longShare(index)) ? cache.mostRead(index) : -1;
      this.#tail[index] = cache.tail(index);
    }
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
