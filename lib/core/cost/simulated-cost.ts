import type { RequestIndex, Tokens } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import { CacheModel, type Lifetime } from "./cache-model";
import { pairsOf } from "./chain";
import { type Call, CostSum, cacheWrites, type InputBand } from "./cost-sum";
import type { MicroDollars } from "./money";
import type { PricedRequest } from "./priced-requests";
import { type Cost, totalOf } from "./recorded-cost";
import { type RuleMargin, ruleMargin } from "./rule-margin";

/** What a replay says about the contexts that were sent. Source: docs/prices.md, "What a simulation costs". */
export interface Simulation {
  /** By request point, the tokens sent, and how many of them are the unchanged beginning of what the point before sent. */
  readonly context: ArrayLike<Tokens>;
  readonly shared: ArrayLike<Tokens>;
  readonly compactions: readonly SummaryCall[];
}

/** What a compaction sent for its summary, and the summary's size. */
export interface SummaryCall {
  readonly request: RequestIndex;
  readonly summaryCallTokens: Tokens;
  readonly summaryTokens: Tokens;
}

/** What the costs of one session's simulations are computed from: everything about costs that no replay changes. */
export interface CostBasis {
  readonly cache: CacheModel;
  /** By how much the rule of the cache is off in the recording. */
  readonly margin: RuleMargin;
}

export function costBasis(
  columns: SessionColumns,
  requests: readonly PricedRequest[],
  lifetime: Lifetime = "recorded",
): CostBasis {
  const pairs = pairsOf(columns, requests);
  const asRecorded = new CacheModel(columns, requests, pairs, "recorded");
  const cache = lifetime === "recorded" ? asRecorded : new CacheModel(columns, requests, pairs, lifetime);
  return { cache, margin: ruleMargin(pairs, asRecorded) };
}

export interface SimulatedCost {
  /** The requests' costs; `undefined` where nothing tells what share of a cache is read. */
  readonly cost: Cost | undefined;
  readonly summaryCalls: MicroDollars | undefined;
  /**
   * The costs of everything together, if as much as possible is read and if as little as possible is, widened by how far the rule is off in the
   * recording.
   */
  readonly low: MicroDollars;
  readonly high: MicroDollars;
}

/** Told of every request of a simulation, by its place among the requests. */
export type RequestVisitor = (index: number, call: Call) => void;

/**
 * What a session would have cost with these contexts. `undefined` where one of its requests has no price, or where it has no requests.
 * @param sharesPrefix whether the call for a summary begins with what was sent before it; `undefined` where that is not known
 * @param visit for those who ask for more than the sum
 */
export function simulatedCost(
  { cache, margin }: CostBasis,
  { context, shared, compactions }: Simulation,
  sharesPrefix: boolean | undefined,
  visit?: RequestVisitor,
): SimulatedCost | undefined {
  const { requests } = cache;
  if (requests.length === 0) return undefined;
  const [own, calls] = [new CostSum(cache), new CostSum(cache)];
  let before = 0;
  let point = 0;
  for (let index = 0; index < requests.length; index++) {
    const request = requests[index];
    if (request === undefined) continue;
    // Points without usage between two requests may have shortened what the requests share.
    let kept = Number.POSITIVE_INFINITY;
    for (; point <= request.request; point++) kept = Math.min(kept, shared[point] ?? 0);
    const sent = context[request.request] ?? 0;
    const rates = request.ratesOf(sent);
    if (rates === undefined) return undefined;
    const reads = cache.reads(index, sent, kept, before);
    const call = { sent, output: request.output, reads, writes: cacheWrites(request, rates) };
    own.add(index, rates, call);
    visit?.(index, call);
    before = sent;
  }
  for (const call of compactions) {
    if (call.summaryCallTokens > 0 && !addCall(calls, cache, call, context, sharesPrefix)) return undefined;
  }
  return together(own, calls, margin);
}

/** Adds a call, which pays the full price for all of its input if it shares nothing. Returns whether there is a price for it. */
function addCall(
  sum: CostSum,
  cache: CacheModel,
  { request: point, summaryCallTokens: sent, summaryTokens: output }: SummaryCall,
  context: Simulation["context"],
  sharesPrefix: boolean | undefined,
): boolean {
  const index = cache.indexAt(point);
  const request = cache.requests[index];
  const rates = request?.ratesOf(sent);
  if (request === undefined || rates === undefined) return false;
  const before = point === 0 ? 0 : (context[point - 1] ?? 0);
  const reads = cache.reads(index, sent, sharesPrefix === false ? 0 : before, before);
  if (sharesPrefix === true) sum.add(index, rates, { sent, output, reads, writes: cacheWrites(request, rates) });
  // What is not read is not written either, since nothing will read it later.
  else sum.add(index, rates, { sent, output, reads: { likely: 0, most: reads.most, least: 0 }, writes: "never" });
  return true;
}

/** What a call for a summary costs; `undefined` where it has no price, or nothing says what it reads. */
export function summaryCallCost(
  { cache }: CostBasis,
  call: SummaryCall,
  context: Simulation["context"],
  sharesPrefix: boolean | undefined,
): MicroDollars | undefined {
  const sum = new CostSum(cache);
  if (call.summaryCallTokens > 0 && !addCall(sum, cache, call, context, sharesPrefix)) return undefined;
  return sum.cost && totalOf(sum.cost);
}

function together(own: CostSum, calls: CostSum, margin: RuleMargin): SimulatedCost {
  const ofCalls = calls.cost;
  const [a, b] = [own.input, calls.input];
  const input = a.input === undefined || b.input === undefined ? undefined : a.input + b.input;
  const band = { input, low: a.low + b.low, high: a.high + b.high };
  return {
    cost: own.cost,
    summaryCalls: ofCalls && totalOf(ofCalls),
    ...widened(band, own.output + calls.output, margin),
  };
}

/** The band, widened by how far the rule of the cache is off in the recording. */
function widened({ input, low, high }: InputBand, output: MicroDollars, { least, most }: RuleMargin) {
  return {
    low: Math.min(low, Math.floor((input ?? low) * least)) + output,
    high: Math.max(high, Math.ceil((input ?? high) * most)) + output,
  };
}
