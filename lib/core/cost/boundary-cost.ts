import type { RequestIndex, Tokens } from "../base/units";
import { boundariesOf, type SessionColumns } from "../columns/columns";
import type { Rates } from "../prices/model";
import { breakEvenRequests } from "./break-even";
import type { CacheMisses } from "./cache-misses";
import { type Pair, pairsOf } from "./chain";
import { costOf, type MicroDollars } from "./money";
import type { PricedRequest } from "./priced-requests";
import { costOfRequest, inputOf, recordedCost, totalOf } from "./recorded-cost";

/** Cost of a compaction, and its break-even. Unknown values are `undefined`. */
export interface BoundaryCost {
  /** First request after the compaction. */
  readonly request: RequestIndex;
  /** Cost of the tokens sent uncached after it, beyond the price of reading them. */
  readonly rewriting: MicroDollars | undefined;
  /** Cost of its summary call: of the recorded call, else computed from the tokens it sent and the summary it returned. */
  readonly call: MicroDollars | undefined;
  readonly callIsRecorded: boolean;
  /** Number of requests after which both costs are recovered (`breakEvenRequests`); at least 1. */
  readonly breakEven: number | undefined;
}

/** Facts about a recording's compactions besides the usage. */
export interface RecordedCompactions {
  /** Tokens of every compaction's summary, in order; 0 if its text is not in the file. */
  readonly summaries: readonly Tokens[];
  /** True if the agent's summary call begins with the previously sent context; `undefined` if that is unknown. */
  readonly sharesPrefix: boolean | undefined;
  /** Recorded summary calls: requests in rows of `columns.extra`. */
  readonly calls?: readonly PricedRequest[];
}

/**
 * Costs of the recorded compactions, in order. A call that begins with the previously sent context reads that from the cache. The call's cost is
 * known only if the cache was still warm when the session continued; otherwise it is unknown whether the call came before or after the pause. Source:
 * docs/prices.md, "When a compaction pays".
 */
export function recordedBoundaryCosts(
  columns: SessionColumns,
  requests: readonly PricedRequest[],
  misses: CacheMisses | undefined,
  { summaries, sharesPrefix, calls = [] }: RecordedCompactions,
): readonly BoundaryCost[] {
  const pairs = pairsOf(columns, requests);
  const rows = boundariesOf(columns, "compaction");
  const pairOf = rows.map((row) => pairAround(pairs, columns.boundaries.request[row] ?? 0));
  return rows.map((row, index) => {
    const request = columns.boundaries.request[row] ?? 0;
    const pair = pairOf[index];
    const own = calls.filter((one) => columns.extra.boundary[one.request] === row);
    const callIsRecorded = own.length > 0;
    // If several compactions lie between the same two requests, only the last one left the context that was sent.
    if (pair === undefined || pairOf[index + 1] === pair)
      return { ...unknownCost(request), call: recordedCall(own), callIsRecorded };
    const computed = sharesPrefix === undefined ? undefined : callCost(pair, summaries[index] ?? 0, sharesPrefix);
    const call = callIsRecorded ? recordedCall(own) : computed;
    return {
      request,
      rewriting: rewritingCost(pair, misses),
      call,
      callIsRecorded,
      breakEven: breakEvenOf(pair, call),
    };
  });
}

/** For every recorded compaction between two requests with usage, the tokens that the next request sent. */
export function sizesAfterCompactions(columns: SessionColumns, requests: readonly PricedRequest[]): readonly Tokens[] {
  const pairs = pairsOf(columns, requests);
  const around = boundariesOf(columns, "compaction").map((row) =>
    pairAround(pairs, columns.boundaries.request[row] ?? 0),
  );
  return [...new Set(around)].flatMap((pair) => pair?.now.sent ?? []);
}

function unknownCost(request: RequestIndex): BoundaryCost {
  return { request, rewriting: undefined, call: undefined, callIsRecorded: false, breakEven: undefined };
}

/** Sum of recorded calls; `undefined` if there is none, or one has no price. */
function recordedCall(calls: readonly PricedRequest[]): MicroDollars | undefined {
  const { cost } = recordedCost(calls);
  return cost && totalOf(cost);
}

/** The neighbouring requests with usage around a request. */
function pairAround(pairs: readonly Pair[], request: RequestIndex): Pair | undefined {
  return pairs.find(({ before, now }) => before.request < request && now.request >= request);
}

/** Without a cache miss the request read everything that the previous one left, so nothing was sent uncached. */
function rewritingCost({ now }: Pair, misses: CacheMisses | undefined): MicroDollars | undefined {
  if (misses === undefined || !now.readsRecorded || now.rates === undefined) return undefined;
  const own = misses.misses.find(({ request }) => request === now.request);
  return own === undefined ? 0 : own.cost;
}

function callCost({ before, now, gap, ttl }: Pair, summary: Tokens, sharesPrefix: boolean) {
  const rates = now.ratesOf(before.sent);
  if (rates === undefined || summary === 0 || gap > ttl || (sharesPrefix && !now.readsRecorded)) return undefined;
  const input = { tokens: before.sent, price: sharesPrefix ? rates.read : rates.input };
  return costOf([input, { tokens: summary, price: rates.output }], now.factor);
}

/** Without the compaction, all later requests would have read the larger context. */
function breakEvenOf({ before, now }: Pair, call: MicroDollars | undefined): number | undefined {
  const rates = now.ratesOf(before.sent);
  const cost = costOfRequest(now);
  if (call === undefined || rates === undefined || cost === undefined || !now.readsRecorded) return undefined;
  const reading = (tokens: Tokens, { read }: Rates) => costOf([{ tokens, price: read }], now.factor);
  const laterWithout = reading(before.sent, rates);
  const later = reading(now.sent, now.rates ?? rates);
  return breakEvenRequests({ call, first: inputOf(cost), firstWithout: laterWithout, later, laterWithout });
}
