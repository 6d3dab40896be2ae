import type { RequestIndex, Tokens } from "../../base/units";
import type { SessionColumns } from "../../columns/columns";
import { type CacheFacts, CacheModel, isKeptAsRecorded, type Ttl } from "../cache-model";
import { type Call, CostSum, cacheWrites, type InputBand, type SummaryCall } from "../cost-sum";
import type { MicroDollars } from "../money";
import type { PricedRequest } from "../priced-requests";
import { RecordedCache } from "../recorded-cache";
import { type Cost, NO_COST, sumOf, totalOf } from "../recorded-cost";
import { type RuleMargin, ruleMargin } from "../rule-margin";
import { ActedPauses, addRefreshes, indexEnding } from "./acted-pauses";
import { RequestRows, SureRequests } from "./sure-requests";

/** Contexts that a replay sent. Source: docs/prices.md, "Cost of a simulation". */
export interface Simulation {
  /** Tokens sent at each request point, and the part of them that is the unchanged beginning of the previous point. */
  readonly context: ArrayLike<Tokens>;
  readonly shared: ArrayLike<Tokens>;
  /** 0 if the context of a request with usage is the recorded one: the replay still follows the recording. Absent: it never follows. */
  readonly estimated?: ArrayLike<number>;
  readonly compactions: readonly SummaryCall[];
  /** As in `Replay`. */
  readonly keptAlive?: ArrayLike<number> | undefined;
}

/** Input of the costs of one session's simulations: everything that no replay changes. */
export interface CostBasis {
  readonly cache: CacheModel;
  readonly sure: SureRequests;
  readonly ttl: Ttl;
  /** True if a request with its recorded context costs the recorded amount: false if another cache TTL, or no pause, is assumed. */
  readonly follows: boolean;
  /** Difference between the recording's cost and the simulated cost of its own contexts. */
  readonly margin: RuleMargin;
}

/**
 * Prepares the costs of a session's simulations.
 * @param chosen cache TTL of written tokens, if the provider sells several
 * @param hasPauses true if requests have their recorded gaps; otherwise each follows the previous one at once
 * @param like the same requests at other prices: the known facts of their cache hold for these
 */
export function costBasis(
  columns: SessionColumns,
  requests: readonly PricedRequest[],
  chosen: Ttl = "recorded",
  hasPauses = true,
  like?: readonly PricedRequest[],
): CostBasis {
  const { recorded, asRecorded, rows, margin } = recordingOf(columns, requests, like);
  const ttl = chosen === "recorded" || isKeptAsRecorded(requests, recorded.pairs, chosen) ? "recorded" : chosen;
  const follows = ttl === "recorded" && hasPauses;
  const cache = follows ? asRecorded : CacheModel.of(recorded, requests, { ttl, hasPauses, asFound: true });
  return { cache, sure: new SureRequests(rows, cache), ttl, follows, margin };
}

/** Costs of the requests as recorded, under any assumption about the cache. */
interface RecordingCosts {
  readonly recorded: RecordedCache;
  readonly asRecorded: CacheModel;
  readonly rows: RequestRows;
  readonly margin: RuleMargin;
}

const recordings = new WeakMap<readonly PricedRequest[], RecordingCosts>();

function recordingOf(
  columns: SessionColumns,
  requests: readonly PricedRequest[],
  like?: readonly PricedRequest[],
): RecordingCosts {
  const known = recordings.get(requests);
  if (known !== undefined) return known;
  const other = like && recordingOf(columns, like);
  const recorded = other?.recorded ?? new RecordedCache(columns, requests);
  const asRecorded = other?.asRecorded.repriced(requests) ?? CacheModel.of(recorded, requests, { asFound: true });
  const margin = ruleMargin(recorded.pairs, asRecorded);
  const made = { recorded, asRecorded, rows: new RequestRows(requests), margin };
  recordings.set(requests, made);
  return made;
}

export interface SimulatedCost {
  /** Costs of the requests; `undefined` if the share that a cache returns is unknown. */
  readonly cost: Cost | undefined;
  readonly summaryCalls: MicroDollars | undefined;
  readonly keepAlive: { readonly requests: number; readonly cost: MicroDollars };
  /** Cost of actions after the last request, whose effect no request used; included in the other costs. */
  readonly unused: MicroDollars;
  /** Total costs with the most and the least possible reads, widened by the error of the rule over the recording. */
  readonly low: MicroDollars;
  readonly high: MicroDollars;
}

/** Called for every request of a simulation, with its index; without a call if the recorded request replaces it. */
type RequestVisitor = (index: number, call: Call | undefined) => void;

/**
 * Cost of a session with these contexts. `undefined` if one of its requests has no price, or without requests.
 * @param sharesPrefix true if the summary call begins with the previously sent context; `undefined` if unknown
 * @param visit for callers that need more than the sum
 * @param from the first request that counts: earlier ones only decide the content of the cache
 */
export function simulatedCost(
  basis: CostBasis,
  simulation: Simulation,
  sharesPrefix: boolean | undefined,
  visit?: RequestVisitor,
  from: RequestIndex = 0,
): SimulatedCost | undefined {
  const { cache, sure, follows, margin } = basis;
  const { requests } = cache;
  if (requests.length === 0) return undefined;
  const { context, shared, estimated, compactions } = simulation;
  const [recorded, own, calls] = [new CostSum(cache), new CostSum(cache), new CostSum(cache)];
  const [alive, unused] = [new CostSum(cache), new CostSum(cache)];
  const pauses = ActedPauses.of(cache, sure, simulation);
  let refreshes = 0;
  const followed = follows ? estimated : undefined;
  const sum = { ...NO_COST };
  let before = 0;
  let point = 0;
  for (let index = 0; index < sure.length; index++) {
    const at = sure.point(index);
    // Points without usage between two requests may have shortened their common beginning.
    let kept = Number.POSITIVE_INFINITY;
    for (; point <= at; point++) kept = Math.min(kept, shared[point] ?? 0);
    const sent = context[at] ?? 0;
    if (at < from) {
      before = sent;
      continue;
    }
    const pause = pauses?.before(index, before);
    if (pause !== undefined && pause.refreshes > 0) {
      if (!addRefreshes(alive, cache, index - 1, before, pause.refreshes)) return undefined;
      refreshes += pause.refreshes;
    }
    const facts = pause && factsAfterPause(cache, index, pause, sharesPrefix);
    const known = followed?.[at] === 0 && facts === undefined ? sure.known(index, sent) : undefined;
    if (known !== undefined) {
      recorded.addKnown(known);
      visit?.(index, undefined);
    } else if (visit !== undefined || facts !== undefined || !sure.add(sum, index, sent, kept, before)) {
      const priced = pricedCall(cache, index, sent, kept, before, facts);
      if (priced === undefined) return undefined;
      own.add(index, priced.rates, priced.call);
      visit?.(index, priced.call);
    }
    before = sent;
  }
  own.addKnown(sum);
  const last = pauses?.before(sure.length, before);
  if (last !== undefined && last.refreshes > 0) {
    for (const to of [alive, unused])
      if (!addRefreshes(to, cache, sure.length - 1, before, last.refreshes)) return undefined;
    refreshes += last.refreshes;
  }
  for (const call of compactions) {
    if (call.request < from || call.summaryCallTokens === 0) continue;
    const to = call === last?.compaction ? [calls, unused] : [calls];
    for (const one of to) if (!addCall(one, basis, call, simulation, sharesPrefix, pauses)) return undefined;
  }
  const sums = together([recorded, alive], own, calls, margin);
  const paid = (one: CostSum) => (one.cost === undefined ? one.high + one.output : totalOf(one.cost));
  return { ...sums, keepAlive: { requests: refreshes, cost: paid(alive) }, unused: paid(unused) };
}

/** Possible cache reads of a request after a pause in which the replay acted; `undefined` if acting does not change them. */
interface FactsAfterPause {
  readonly likely: CacheFacts | undefined;
  /** Reads if it is not known whether the summary call used the cache. */
  readonly most: CacheFacts | undefined;
}

function factsAfterPause(
  cache: CacheModel,
  index: number,
  { compaction, gap }: NonNullable<ReturnType<ActedPauses["before"]>>,
  sharesPrefix: boolean | undefined,
): FactsAfterPause | undefined {
  const uses = compaction !== undefined && compaction.summaryCallTokens > 0;
  const likely = cache.factsAfter(index, uses && sharesPrefix === true ? gap.used : gap.unused);
  const most = uses && sharesPrefix === undefined ? cache.factsAfter(index, gap.used) : likely;
  return cache.readsAlike(index, likely) && cache.readsAlike(index, most) ? undefined : { likely, most };
}

/** A request whose reads depend on the cache, or whose rates depend on its size; `undefined` without a price. */
function pricedCall(
  cache: CacheModel,
  index: number,
  sent: Tokens,
  shared: Tokens,
  before: Tokens,
  facts: FactsAfterPause | undefined,
) {
  const request = cache.requests[index];
  const rates = request?.ratesOf(sent);
  if (request === undefined || rates === undefined) return undefined;
  const likely = cache.reads(index, sent, shared, before, facts?.likely);
  const most = facts === undefined ? likely : cache.reads(index, sent, shared, before, facts.most);
  const reads = { ...likely, most: Math.max(likely.most, most.most) };
  const call: Call = { sent, output: request.output, reads, writes: cacheWrites(request, rates) };
  return { rates, call };
}

/** Adds a call. A call without a common beginning pays the full price for all of its input. Returns true if it has a price. */
function addCall(
  sum: CostSum,
  { cache, sure }: Pick<CostBasis, "cache" | "sure">,
  call: SummaryCall,
  { context }: Pick<Simulation, "context">,
  sharesPrefix: boolean | undefined,
  pauses: ActedPauses | undefined,
): boolean {
  const { request: point, summaryCallTokens: sent, summaryTokens: output } = call;
  const before = point === 0 ? 0 : (context[point - 1] ?? 0);
  // A call during a pause is one more request of the model that answered before it.
  const ending = pauses === undefined ? 0 : indexEnding(sure, point);
  const pause = ending === 0 ? undefined : pauses?.before(ending, context[sure.point(ending - 1)] ?? 0);
  const isInPause = pause !== undefined && call.at !== undefined;
  const index = isInPause ? ending - 1 : cache.indexAt(point);
  const request = cache.requests[index];
  const rates = request?.ratesOf(sent);
  if (request === undefined || rates === undefined) return false;
  const facts = isInPause
    ? cache.factsInPause(index, pause.callGap)
    : pause && cache.factsAfter(index, pause.gap.unused);
  const reads = cache.reads(isInPause ? index + 1 : index, sent, before, before, facts);
  if (sharesPrefix === true) sum.add(index, rates, { sent, output, reads, writes: cacheWrites(request, rates) });
  else {
    const most = sharesPrefix === false ? 0 : reads.most;
    // Such a call does not write to the cache, since no request would read its prefix later.
    sum.add(index, rates, { sent, output, reads: { likely: 0, most, least: 0 }, writes: "never" });
  }
  return true;
}

/** Cost of a summary call; `undefined` if it has no price, or its reads are unknown. */
export function summaryCallCost(
  basis: CostBasis,
  call: SummaryCall,
  simulation: Simulation,
  sharesPrefix: boolean | undefined,
): MicroDollars | undefined {
  const { cache, sure } = basis;
  const sum = new CostSum(cache);
  const isActing = call.at !== undefined || simulation.keptAlive !== undefined;
  const pauses = isActing ? ActedPauses.of(cache, sure, simulation) : undefined;
  if (call.summaryCallTokens > 0 && !addCall(sum, basis, call, simulation, sharesPrefix, pauses)) return undefined;
  return sum.cost && totalOf(sum.cost);
}

/** @param recorded requests at which the replay follows the recording: the rule does not apply there */
function together(
  [recorded, alive]: readonly [CostSum, CostSum],
  own: CostSum,
  calls: CostSum,
  margin: RuleMargin,
): Pick<SimulatedCost, "cost" | "summaryCalls" | "low" | "high"> {
  const [known, ofOwn, ofCalls] = [recorded.cost ?? NO_COST, own.cost, calls.cost];
  const [a, b] = [own.input, calls.input];
  const input = a.input === undefined || b.input === undefined ? undefined : a.input + b.input;
  const band = widened({ input, low: a.low + b.low, high: a.high + b.high }, margin);
  const exact = totalOf(known) + totalOf(alive.cost ?? NO_COST) + own.output + calls.output;
  return {
    cost: ofOwn && sumOf(known, ofOwn),
    summaryCalls: ofCalls && totalOf(ofCalls),
    low: band.low + exact,
    high: band.high + exact,
  };
}

/** Widens the band by the error of the cache rule over the recording. */
function widened({ input, low, high }: InputBand, { least, most }: RuleMargin) {
  return {
    low: Math.min(low, Math.floor((input ?? low) * least)),
    high: Math.max(high, Math.ceil((input ?? high) * most)),
  };
}
