import type { Tokens } from "../../base/units";
import type { CacheModel } from "../cache-model";
import { tailOf } from "../found-in-cache";
import { costOfOne } from "../money";
import type { PricedRequest } from "../priced-requests";
import { type Cost, costOfRequest } from "../recorded-cost";

/** Prices are per million tokens. */
const UNIT = 1e6;

/** Rates of requests as columns: their costs, and the minimum sizes for these rates. */
class Rates {
  readonly from: Float64Array;
  readonly input: Float64Array;
  readonly read: Float64Array;
  readonly write5m: Float64Array;
  readonly write1h: Float64Array;
  /** Cost of its output. */
  readonly output: Float64Array;
  /** Contexts up to this size have exact products. */
  readonly largest: Float64Array;

  constructor(requests: readonly PricedRequest[], tier: number) {
    const column = () => new Float64Array(requests.length);
    this.from = column().fill(Number.POSITIVE_INFINITY);
    [this.input, this.read, this.write5m, this.write1h] = [column(), column(), column(), column()];
    [this.output, this.largest] = [column(), column()];
    for (let index = 0; index < requests.length; index++) {
      const request = requests[index];
      const sized = request?.tiers[tier];
      if (request === undefined || sized === undefined) continue;
      const { input, read, write5m, write1h, output } = sized.rates;
      this.from[index] = sized.from;
      this.input[index] = input;
      this.read[index] = read;
      this.write5m[index] = write5m;
      this.write1h[index] = write1h;
      this.output[index] = costOfOne(request.output, output, 1);
      this.largest[index] = (Number.MAX_SAFE_INTEGER - UNIT) / Math.max(1, input, read, write5m, write1h);
    }
  }
}

/** Requests of a session as columns: the facts that do not depend on assumptions about the cache. */
export class RequestRows {
  readonly point: Int32Array;
  readonly sent: Float64Array;
  readonly tail: Float64Array;
  readonly small: Rates;
  /** Rates of large contexts; their columns are empty if no request has any. */
  readonly large: Rates;
  /** Costs of requests as recorded, cached on first access. */
  readonly #known: (Cost | undefined)[] = [];

  constructor(readonly requests: readonly PricedRequest[]) {
    const length = requests.length;
    [this.point, this.sent, this.tail] = [new Int32Array(length), new Float64Array(length), new Float64Array(length)];
    for (let index = 0; index < length; index++) {
      const request = requests[index];
      if (request === undefined) continue;
      this.point[index] = request.request;
      this.sent[index] = request.sent;
      this.tail[index] = tailOf(request);
    }
    [this.small, this.large] = [new Rates(requests, 0), new Rates(requests, 1)];
  }

  /** Cost of a request that sent the recorded context; `undefined` if it has no price, or another context. */
  known(index: number, sent: Tokens): Cost | undefined {
    const request = this.requests[index];
    if (request === undefined || sent !== this.sent[index]) return undefined;
    this.#known[index] ??= costOfRequest(request);
    return this.#known[index];
  }
}

/**
 * Requests of a session as columns, for pricing a replay thousands of times: requests whose reads depend on the contexts alone need no object.
 * `CostSum` prices all others, and gives the same costs for these too.
 */
export class SureRequests {
  readonly length: number;
  /** Maximum reads of a request; -1 if it has no column. */
  readonly #most: Float64Array;
  /** 1 if it writes with a cache TTL of 1 h. */
  readonly #isLong: Uint8Array;

  constructor(
    private readonly rows: RequestRows,
    cache: CacheModel,
  ) {
    const { requests } = rows;
    this.length = requests.length;
    this.#most = new Float64Array(requests.length);
    this.#isLong = new Uint8Array(requests.length);
    for (let index = 0; index < requests.length; index++) {
      const request = requests[index];
      const longShare = cache.longShare(index);
      this.#most[index] = request !== undefined && hasColumns(request, longShare) ? cache.mostRead(index) : -1;
      this.#isLong[index] = longShare === 1 ? 1 : 0;
    }
  }

  point(index: number): number {
    return this.rows.point[index] ?? 0;
  }

  /** Cost of a request that sent the recorded context; `undefined` if it has no price, or another context. */
  known(index: number, sent: Tokens): Cost | undefined {
    return this.rows.known(index, sent);
  }

  /** Adds a request's cost to a sum if it has a column. Returns true if it has one. */
  add(sum: SureSum, index: number, sent: Tokens, shared: Tokens, before: Tokens): boolean {
    const most = this.#most[index] ?? -1;
    const { small, large, tail } = this.rows;
    const rates = sent >= (large.from[index] ?? 0) ? large : small;
    if (most < 0 || sent > (rates.largest[index] ?? 0)) return false;
    const held = Math.min(sent, most, shared, before - (tail[index - 1] ?? 0));
    const read = index === 0 ? Math.min(sent, most) : Math.max(0, held);
    const plain = Math.min(sent - read, tail[index] ?? 0);
    const write = this.#isLong[index] === 1 ? rates.write1h : rates.write5m;
    sum.read += Math.floor((read * (rates.read[index] ?? 0) + UNIT / 2) / UNIT);
    sum.plain += Math.floor((plain * (rates.input[index] ?? 0) + UNIT / 2) / UNIT);
    sum.write += Math.floor(((sent - read - plain) * (write[index] ?? 0) + UNIT / 2) / UNIT);
    sum.output += rates.output[index] ?? 0;
    return true;
  }
}

/** Sum of the requests that have a column. */
interface SureSum {
  read: number;
  write: number;
  plain: number;
  output: number;
}

/** At most two tiers, one cache TTL, no factor, and a provider that writes all uncached tokens: then only the contexts decide. */
function hasColumns({ entry, tiers, factor }: PricedRequest, longShare: number): boolean {
  const isPlain = factor === 1 && (longShare === 0 || longShare === 1);
  return isPlain && (tiers.length === 1 || tiers.length === 2) && entry?.provider === "anthropic";
}
