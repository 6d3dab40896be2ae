import type { RequestIndex, Tokens } from "../base/units";
import type { CacheMisses, MissCause } from "./cache-misses";
import type { MicroDollars } from "./money";
import type { PricedRequest } from "./priced-requests";
import { costOfRequest, totalOf } from "./recorded-cost";

/** Parts of a request's cost. */
const COST_PARTS = ["read", "again", "fresh", "output"] as const;
type CostPart = (typeof COST_PARTS)[number];

/** A request, and the reason for its cost. */
export interface ExpensiveRequest {
  readonly request: RequestIndex;
  readonly cost: MicroDollars;
  /**
   * Parts of its cost, which sum to it. `read`: reading from the cache; `again`: uncached tokens of a cache miss, beyond the price of reading them;
   * `fresh`: all other input (new tokens, and the read price of the uncached ones); `output`: the answer.
   */
  readonly parts: Readonly<Record<CostPart, MicroDollars>>;
  /** The largest part. */
  readonly because: CostPart;
  /** Cause of the cache miss, if there was one; `first` for a session's first request. */
  readonly cause: MissCause | undefined;
  readonly tokens: Readonly<Record<CostPart, Tokens>>;
}

/** Most expensive requests of a session, in descending order. Requests without a price are omitted. */
export function mostExpensiveRequests(
  requests: readonly PricedRequest[],
  misses: CacheMisses | undefined,
  most: number,
): readonly ExpensiveRequest[] {
  const missAt = new Map(misses?.misses.map((one) => [one.request, one]));
  return requests
    .flatMap((request) => {
      const cost = costOfRequest(request);
      return cost === undefined ? [] : [{ request, cost, total: totalOf(cost) }];
    })
    .toSorted((a, b) => b.total - a.total || a.request.request - b.request.request)
    .slice(0, most)
    .map(({ request, cost, total }) => {
      const miss = missAt.get(request.request);
      const again = miss?.cause === "first" ? undefined : miss;
      const uncached = request.write5m + request.write1h + request.plain;
      const extra = again?.cost ?? 0;
      const parts = { read: cost.read, again: extra, fresh: cost.write + cost.plain - extra, output: cost.output };
      const againTokens = again?.tokens ?? 0;
      const tokens = { read: request.read, again: againTokens, fresh: uncached - againTokens, output: request.output };
      return { request: request.request, cost: total, parts, because: largest(parts), cause: miss?.cause, tokens };
    });
}

function largest(parts: ExpensiveRequest["parts"]): CostPart {
  return COST_PARTS.reduce((most, part) => (parts[part] > parts[most] ? part : most));
}
