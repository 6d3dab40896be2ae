import { ITEM_CATEGORIES } from "../base/categories";
import type { RequestIndex, Tokens } from "../base/units";
import type { MicroDollars } from "../cost/money";
import type { PricedRequest } from "../cost/priced-requests";
import { costOfRequest } from "../cost/recorded-cost";
import type { SimulatedRequest } from "../cost/simulated/simulated-series";
import type { MeasuredContext } from "./measured-context";

/** Cost of a request's input. */
export interface PricedInput {
  readonly request: RequestIndex;
  /** Number of tokens not read from a cache: cache writes and plain input. */
  readonly uncached: Tokens;
  /** Cost of those tokens, and cost of the cache reads. */
  readonly uncachedCost: MicroDollars;
  readonly readCost: MicroDollars;
}

/** The inputs of a recording; `undefined` if a request has no price, or without requests. */
export function recordedInputs(requests: readonly PricedRequest[]): readonly PricedInput[] | undefined {
  const inputs: PricedInput[] = [];
  for (const request of requests) {
    const cost = costOfRequest(request);
    if (cost === undefined) return undefined;
    const uncached = request.write5m + request.write1h + request.plain;
    inputs.push({ request: request.request, uncached, uncachedCost: cost.write + cost.plain, readCost: cost.read });
  }
  return inputs.length === 0 ? undefined : inputs;
}

/** The inputs of a simulation; `undefined` if the cache reads of a request are unknown. */
export function simulatedInputs(requests: readonly SimulatedRequest[]): readonly PricedInput[] | undefined {
  const inputs = requests.flatMap(({ request, write, plain, cost }) =>
    cost === undefined
      ? []
      : [{ request, uncached: write + plain, uncachedCost: cost.write + cost.plain, readCost: cost.read }],
  );
  return inputs.length === 0 || inputs.length < requests.length ? undefined : inputs;
}

/**
 * Cost of a context's tokens at every request. Tokens that are new with a request were in no cache, so the uncached tokens are assigned to them
 * first. The other uncached tokens were in the context before and were sent again, as after a cache miss; their cost, and the cost of the cache
 * reads, is divided by size among all earlier items. So the items' costs sum to the input's cost, except for the unattributed part. Definition:
 * docs/prices.md, "Cost of an item".
 */
export interface InputPrices {
  /**
   * The cost of an item over requests [from, to) with one size.
   * @param isEntry true if the item was new with the first of them
   */
  stay(category: number, tokens: Tokens, from: RequestIndex, to: RequestIndex, isEntry: boolean): MicroDollars;
  /** The cost of a category's tokens without items. */
  withoutItems(category: number, from: RequestIndex, to: RequestIndex): MicroDollars;
  /** Cost of the inputs of all requests up to this one. */
  upTo(request: RequestIndex): MicroDollars;
}

/** Linear in items and requests. */
export function inputPrices(measured: MeasuredContext, inputs: readonly PricedInput[]): InputPrices {
  const { series, factor } = measured;
  const points = series.context.length;
  const fresh = freshTokens(measured);
  const [first, later, sum] = [new Float64Array(points), new Float64Array(points), new Float64Array(points + 1)];
  for (const { request, uncached, uncachedCost, readCost } of inputs) {
    const context = series.context[request] ?? 0;
    const tokens = fresh[request] ?? 0;
    const taken = Math.min(tokens, uncached);
    const read = context - uncached;
    const freshCost = perToken(uncachedCost, uncached) * taken + perToken(readCost, read) * (tokens - taken);
    first[request] = perToken(freshCost, tokens);
    later[request] = perToken(uncachedCost + readCost - freshCost, context - tokens);
    sum[request + 1] = uncachedCost + readCost;
  }
  for (let point = 0; point < points; point++) sum[point + 1] = (sum[point + 1] ?? 0) + (sum[point] ?? 0);
  const weighed = ITEM_CATEGORIES.map((_, category) =>
    runningSum(points, (at) => factor(category, at) * (later[at] ?? 0)),
  );
  const bare = ITEM_CATEGORIES.map((_, category) =>
    runningSum(points, (at) => measured.withoutItems(category, at, at + 1) * (later[at] ?? 0)),
  );
  const between = (column: Float64Array | undefined, from: RequestIndex, to: RequestIndex) =>
    to > from ? (column?.[Math.min(to, points)] ?? 0) - (column?.[Math.min(from, points)] ?? 0) : 0;
  return {
    stay: (category, tokens, from, to, isEntry) => {
      const entering = isEntry && from < to ? factor(category, from) * (first[from] ?? 0) : 0;
      return tokens * (entering + between(weighed[category], isEntry ? from + 1 : from, to));
    },
    withoutItems: (category, from, to) => between(bare[category], from, to),
    upTo: (request) => sum[Math.min(request + 1, points)] ?? 0,
  };
}

/** Tokens of the items that were new with each request. */
function freshTokens({ stays, factor, series }: MeasuredContext): Float64Array {
  const fresh = new Float64Array(series.context.length);
  let last = -1;
  stays((item, category, tokens, from) => {
    // The stays of an item are consecutive; the first one is its entry.
    if (item !== last && from < fresh.length) fresh[from] = (fresh[from] ?? 0) + tokens * factor(category, from);
    last = item;
  });
  return fresh;
}

function perToken(cost: MicroDollars, tokens: Tokens): number {
  return tokens > 0 ? cost / tokens : 0;
}

function runningSum(points: number, valueAt: (point: RequestIndex) => number): Float64Array {
  const sum = new Float64Array(points + 1);
  for (let point = 0; point < points; point++) sum[point + 1] = (sum[point] ?? 0) + valueAt(point);
  return sum;
}
