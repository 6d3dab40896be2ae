import { assertDefined } from "../../base/assert";
import type { RequestIndex, Tokens } from "../../base/units";
import type { Rates } from "../../prices/model";
import type { BoundaryCost } from "../boundary-cost";
import { breakEvenRequests } from "../break-even";
import type { CacheModel } from "../cache-model";
import type { SummaryCall } from "../cost-sum";
import { type Call, CostSum, cacheWrites, plainOf } from "../cost-sum";
import { costOf, type MicroDollars } from "../money";
import type { PricedRequest } from "../priced-requests";
import { type Cost, costOfRequest, inputOf } from "../recorded-cost";
import { type CostBasis, type Simulation, simulatedCost, summaryCallCost } from "./simulated-cost";

/** A request of a simulation: its tokens and their cost. */
export interface SimulatedRequest {
  readonly request: RequestIndex;
  /** `undefined`, like its cost, if the share that a cache returns is unknown. */
  readonly read: Tokens | undefined;
  readonly write: Tokens;
  readonly plain: Tokens;
  readonly output: Tokens;
  readonly cost: Cost | undefined;
}

/** The part of a simulated compaction that costs money. */
export interface CostedCompaction extends SummaryCall {
  /** Tokens after it that are neither the unchanged beginning of the previous context nor new. */
  readonly uncached: Tokens;
}

/** A simulation with the uncached tokens of its compactions. */
export interface CostedSimulation extends Simulation {
  readonly compactions: readonly CostedCompaction[];
}

export interface SimulatedSeries {
  /** Requests with recorded usage, in order. */
  readonly requests: readonly SimulatedRequest[];
  /** Summary calls, and the costs of the compactions with them, in order. */
  readonly calls: readonly (MicroDollars | undefined)[];
  readonly boundaries: readonly BoundaryCost[];
}

/** Cost of every request and every compaction of a simulation: the parts of `simulatedCost`. `undefined` if that is. */
export function simulatedSeries(
  basis: CostBasis,
  simulation: CostedSimulation,
  sharesPrefix: boolean | undefined,
): SimulatedSeries | undefined {
  const { cache } = basis;
  const requests: SimulatedRequest[] = [];
  const found = simulatedCost(basis, simulation, sharesPrefix, (index, call) => {
    requests.push(requestOf(cache, index, call));
  });
  if (found === undefined) return undefined;
  const { compactions, context } = simulation;
  const calls = compactions.map((call) => summaryCallCost(basis, call, simulation, sharesPrefix));
  const boundaries = compactions.map((compaction, ordinal): BoundaryCost => {
    const { request: point } = compaction;
    const call = calls[ordinal];
    const unknown = { request: point, rewriting: undefined, call, callIsRecorded: false, breakEven: undefined };
    const index = cache.indexAt(compaction.request);
    const [request, own] = [cache.requests[index], requests[index]];
    if (request === undefined || own?.cost === undefined || request.request < compaction.request) return unknown;
    const behind = { ...own, cost: own.cost, index };
    const before = compaction.request === 0 ? 0 : (context[compaction.request - 1] ?? 0);
    return {
      ...unknown,
      rewriting: rewritingCost(request, behind, compaction.uncached),
      breakEven: breakEvenOf(cache, behind, before, calls[ordinal]),
    };
  });
  return { requests, calls, boundaries };
}

function requestOf(cache: CacheModel, index: number, call: Call | undefined): SimulatedRequest {
  if (call === undefined) return asRecorded(cache.requests[index]);
  const { sent, output, reads, writes } = call;
  const rest = sent - (reads.likely ?? 0);
  const plain = plainOf(cache, index, rest, writes);
  const request = cache.requests[index]?.request ?? 0;
  return { request, read: reads.likely, write: rest - plain, plain, output, cost: costOfCall(cache, index, call) };
}

function asRecorded(recorded: PricedRequest | undefined): SimulatedRequest {
  const one = assertDefined(recorded, "a request that stands for itself");
  const { request, read, write5m, write1h, plain, output } = one;
  return { request, read, write: write5m + write1h, plain, output, cost: costOfRequest(one) };
}

function costOfCall(cache: CacheModel, index: number, call: Call): Cost | undefined {
  const rates = cache.requests[index]?.ratesOf(call.sent);
  if (rates === undefined) return undefined;
  const sum = new CostSum(cache);
  sum.add(index, rates, call);
  return sum.cost;
}

/** Prices are per million tokens. */
const UNIT = 1e6;

/** The first request after a compaction. */
interface FirstAfter extends SimulatedRequest {
  readonly index: number;
  readonly cost: Cost;
}

/** Cost of the uncached tokens, at that request's price of uncached tokens, minus the cost of reading them. */
function rewritingCost(request: PricedRequest, { read = 0, write, plain, cost }: FirstAfter, uncached: Tokens) {
  const allUncached = write + plain;
  const tokens = Math.min(uncached, allUncached);
  const rates = request.ratesOf(read + allUncached);
  if (rates === undefined) return undefined;
  const sent = allUncached === 0 ? 0 : ((cost.write + cost.plain) * tokens) / allUncached;
  return Math.max(0, Math.round(sent - (tokens * rates.read * request.factor) / UNIT));
}

function breakEvenOf(
  cache: CacheModel,
  { index, read = 0, write, plain, cost }: FirstAfter,
  before: Tokens,
  call: MicroDollars | undefined,
): number | undefined {
  const request = cache.requests[index];
  const after = read + write + plain;
  const [rates, ratesBefore] = [request?.ratesOf(after), request?.ratesOf(before)];
  if (call === undefined || request === undefined || rates === undefined || ratesBefore === undefined) return undefined;
  // Without the compaction, the request would have sent the larger context, warm or not.
  const reads = cache.reads(index, before, before, before);
  const uncut = costOfCall(cache, index, { sent: before, output: 0, reads, writes: cacheWrites(request, ratesBefore) });
  if (uncut === undefined) return undefined;
  return breakEvenRequests({
    call,
    first: inputOf(cost),
    firstWithout: inputOf(uncut),
    later: reading(request, after, rates),
    laterWithout: reading(request, before, ratesBefore),
  });
}

function reading({ factor }: PricedRequest, tokens: Tokens, { read }: Rates): MicroDollars {
  return costOf([{ tokens, price: read }], factor);
}
