import type { SessionColumns } from "@/lib/core/columns/columns";
import type { MicroDollars } from "@/lib/core/cost/money";
import { costWithTtl } from "@/lib/core/cost/other-ttl";
import type { PricedRequest } from "@/lib/core/cost/priced-requests";
import { type Cost, recordedCost, totalOf } from "@/lib/core/cost/recorded-cost";
import type { CostedRun, ReplayCosts } from "@/lib/queries/cost/simulated-cost";
import type { TtlChoice } from "../state/url-state";
import { COST_PARTS } from "./series";

/** The cost of one of the compared columns, in micro-dollars; `undefined` if unknown. */
export interface ComparedCost {
  readonly cost: Cost | undefined;
  /** True if cache writes are known. If so, a value of 0 is real; if not, the value is absent. */
  readonly writesKnown: boolean;
  /** Cost of the calls for summaries; never known for a recording. */
  readonly summaryCalls: MicroDollars | undefined;
  /** Cost of keep-alive requests, as part of the total; absent without any. */
  readonly keepAlive?: MicroDollars;
  readonly band: { readonly low: MicroDollars; readonly high: MicroDollars } | undefined;
}

export const COMPARED_ROWS = ["total", ...COST_PARTS, "summaryCalls"] as const;
export type ComparedRow = (typeof COMPARED_ROWS)[number];

/** A metric of a column; `undefined` if unknown. */
export function comparedMetric(
  { cost, summaryCalls, keepAlive = 0, writesKnown }: ComparedCost,
  row: ComparedRow,
): MicroDollars | undefined {
  if (row === "write" && !writesKnown) return undefined;
  if (row === "summaryCalls") return summaryCalls;
  if (row === "total") return cost && totalOf(cost) + (summaryCalls ?? 0) + keepAlive;
  return cost?.[row];
}

/** The recording, priced with the recorded cache TTL or another one. */
export function recordedWith(
  columns: SessionColumns,
  requests: readonly PricedRequest[],
  ttl: TtlChoice,
): ComparedCost {
  const cost = ttl === "recorded" ? recordedCost(requests).cost : costWithTtl(columns, requests, ttl);
  return { cost, writesKnown: hasWrites(requests), summaryCalls: undefined, band: undefined };
}

/** True if any request records its cache writes. */
export function hasWrites(requests: readonly PricedRequest[]): boolean {
  return requests.some(({ writesRecorded }) => writesRecorded);
}

/** The cost of a replay; the recorded cost if the policy is the recording itself. */
export function simulatedWith(columns: SessionColumns, costs: ReplayCosts, ...run: CostedRun): ComparedCost {
  if (run[1].shared === undefined) return recordedWith(columns, costs.requests, costs.terms.ttl);
  const found = costs.sumOf(...run);
  if (found === undefined) return { cost: undefined, writesKnown: false, summaryCalls: undefined, band: undefined };
  const { cost, summaryCalls, keepAlive, low, high } = found;
  // Without the price of its summary calls, the sum of the requests would look like the full cost.
  const known = summaryCalls === undefined ? undefined : cost;
  return {
    cost: known,
    writesKnown: hasWrites(costs.requests) || (known?.write ?? 0) > 0,
    summaryCalls,
    keepAlive: keepAlive.cost,
    band: { low, high },
  };
}
