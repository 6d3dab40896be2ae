import type { RequestIndex, Tokens } from "../base/units";
import { boundariesOf, type SessionColumns } from "../columns/columns";
import type { Rates } from "../prices/model";
import { breakEvenRequests } from "./break-even";
import type { CacheBreaks } from "./breaks";
import { type Pair, pairsOf } from "./chain";
import { costOf, type MicroDollars } from "./money";
import type { PricedRequest } from "./priced-requests";
import { costOfRequest, inputOf, recordedCost, totalOf } from "./recorded-cost";

/** What a compaction cost, and when that is recovered. What is not known is `undefined`. */
export interface BoundaryCost {
  /** The request before which it happened. */
  readonly request: RequestIndex;
  /** The cost of what was sent anew after it, beyond what reading that would have cost. */
  readonly rewriting: MicroDollars | undefined;
  /** The cost of its call for the summary: of the recorded call, else computed from what the call sent and the summary that it returned. */
  readonly call: MicroDollars | undefined;
  readonly callIsRecorded: boolean;
  /** Number of requests after which both are recovered (`breakEvenRequests`); 0 means with the first one. */
  readonly breakEven: number | undefined;
}

/** What is known of a recording's compactions beside the usage. */
export interface RecordedCompactions {
  /** Tokens of every compaction's summary, in order; 0 where its text is not in the file. */
  readonly summaries: readonly Tokens[];
  /** Whether the agent's call for a summary begins with what was sent before it; `undefined` where that is not known. */
  readonly sharesPrefix: boolean | undefined;
  /** The recorded calls for summaries: requests whose rows are of `columns.extra`. */
  readonly calls?: readonly PricedRequest[];
}

/**
 * What the recorded compactions cost, in order. If the call begins with what was sent before it, it read that from the cache. The call's cost is
 * known only if the cache still lived when the session went on; otherwise nobody knows whether the call came before or after the pause. Source:
 * docs/prices.md, "When a compaction pays".
 */
export function recordedBoundaryCosts(
  columns: SessionColumns,
  requests: readonly PricedRequest[],
  breaks: CacheBreaks | undefined,
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
    // If several are between the same two requests, only the last one left what was sent.
    if (pair === undefined || pairOf[index + 1] === pair)
      return { ...unknownCost(request), call: recordedCall(own), callIsRecorded };
    const computed = sharesPrefix === undefined ? undefined : callCost(pair, summaries[index] ?? 0, sharesPrefix);
    const call = callIsRecorded ? recordedCall(own) : computed;
    return {
      request,
      rewriting: rewritingCost(pair, breaks),
      call,
      callIsRecorded,
      breakEven: breakEvenOf(pair, call),
    };
  });
}

/** For every recorded compaction between two requests with usage, what the first request after it sent. */
export function sizesBehindCompactions(columns: SessionColumns, requests: readonly PricedRequest[]): readonly Tokens[] {
  const pairs = pairsOf(columns, requests);
  const around = boundariesOf(columns, "compaction").map((row) =>
    pairAround(pairs, columns.boundaries.request[row] ?? 0),
  );
  return [...new Set(around)].flatMap((pair) => pair?.now.sent ?? []);
}

function unknownCost(request: RequestIndex): BoundaryCost {
  return { request, rewriting: undefined, call: undefined, callIsRecorded: false, breakEven: undefined };
}

/** The sum of recorded calls; `undefined` where there is none, or one has no price. */
function recordedCall(calls: readonly PricedRequest[]): MicroDollars | undefined {
  const { cost } = recordedCost(calls);
  return cost && totalOf(cost);
}

/** The neighbouring requests with usage around a request at which something happened. */
function pairAround(pairs: readonly Pair[], request: RequestIndex): Pair | undefined {
  return pairs.find(({ before, now }) => before.request < request && now.request >= request);
}

/** The first request after it has no break if it read what the last one had left: then nothing was sent anew. */
function rewritingCost({ now }: Pair, breaks: CacheBreaks | undefined): MicroDollars | undefined {
  if (breaks === undefined || !now.readsRecorded || now.rates === undefined) return undefined;
  const own = breaks.breaks.find(({ request }) => request === now.request);
  return own === undefined ? 0 : own.cost;
}

function callCost({ before, now, gap, lifetime }: Pair, summary: Tokens, sharesPrefix: boolean) {
  const rates = now.ratesOf(before.sent);
  if (rates === undefined || summary === 0 || gap > lifetime || (sharesPrefix && !now.readsRecorded)) return undefined;
  const input = { tokens: before.sent, price: sharesPrefix ? rates.read : rates.input };
  return costOf([input, { tokens: summary, price: rates.output }], now.factor);
}

/** Had it not been made, all requests behind it had read what was there. */
function breakEvenOf({ before, now }: Pair, call: MicroDollars | undefined): number | undefined {
  const rates = now.ratesOf(before.sent);
  const cost = costOfRequest(now);
  if (call === undefined || rates === undefined || cost === undefined || !now.readsRecorded) return undefined;
  const reading = (tokens: Tokens, { read }: Rates) => costOf([{ tokens, price: read }], now.factor);
  const laterWithout = reading(before.sent, rates);
  const later = reading(now.sent, now.rates ?? rates);
  return breakEvenRequests({ call, first: inputOf(cost), firstWithout: laterWithout, later, laterWithout });
}
