import type { SessionColumns } from "@/lib/core/columns/columns";
import type { MicroDollars } from "@/lib/core/cost/money";
import { costWithLifetime } from "@/lib/core/cost/other-lifetime";
import type { PricedRequest } from "@/lib/core/cost/priced-requests";
import { type Cost, recordedCost, totalOf } from "@/lib/core/cost/recorded-cost";
import { type CostBasis, type Simulation, simulatedCost } from "@/lib/core/cost/simulated-cost";
import type { LifetimeChoice } from "../state/url-state";
import { COST_PARTS } from "./series";

/** What one of the compared columns came to. Everything is micro-dollars, `undefined` where it is not known. */
export interface ComparedCost {
  readonly cost: Cost | undefined;
  /** Whether it is known what was written to the cache: then nothing is a figure, else it is none. */
  readonly writesKnown: boolean;
  /** What the calls for summaries cost: of a recording nobody knows. */
  readonly summaryCalls: MicroDollars | undefined;
  readonly band: { readonly low: MicroDollars; readonly high: MicroDollars } | undefined;
}

export const COMPARED_ROWS = ["total", ...COST_PARTS, "summaryCalls"] as const;
export type ComparedRow = (typeof COMPARED_ROWS)[number];

/** A figure of a column; `undefined` where it is not known. */
export function comparedFigure(
  { cost, summaryCalls, writesKnown }: ComparedCost,
  row: ComparedRow,
): MicroDollars | undefined {
  if (row === "write" && !writesKnown) return undefined;
  if (row === "summaryCalls") return summaryCalls;
  if (row === "total") return cost && totalOf(cost) + (summaryCalls ?? 0);
  return cost?.[row];
}

/** What was recorded, with the lifetime as recorded or another one. */
export function recordedWith(
  columns: SessionColumns,
  requests: readonly PricedRequest[],
  ttl: LifetimeChoice,
): ComparedCost {
  const cost = ttl === "recorded" ? recordedCost(requests).cost : costWithLifetime(columns, requests, ttl);
  return { cost, writesKnown: hasWrites(requests), summaryCalls: undefined, band: undefined };
}

/** Whether one of the requests records what it wrote to the cache. */
export function hasWrites(requests: readonly PricedRequest[]): boolean {
  return requests.some(({ writesRecorded }) => writesRecorded);
}

/** A replay, as far as it costs; of the recording itself nobody asks what its requests share. */
export type CostedReplay = Omit<Simulation, "shared"> & Partial<Pick<Simulation, "shared">>;

/**
 * What a replay would have cost. Where the policy is what was recorded, that.
 * @param basis what no replay changes: it is not to be worked out for every frame of a slider
 * @param sharesPrefix whether the call for a summary begins with what was sent before it; `undefined` where that is not known
 */
export function simulatedWith(
  columns: SessionColumns,
  basis: CostBasis,
  { context, shared, estimated, compactions }: CostedReplay,
  sharesPrefix: boolean | undefined,
): ComparedCost {
  const { requests } = basis.cache;
  if (shared === undefined) return recordedWith(columns, requests, basis.lifetime);
  const simulation = { context, shared, ...(estimated && { estimated }), compactions };
  const found = simulatedCost(basis, simulation, sharesPrefix);
  if (found === undefined) return { cost: undefined, writesKnown: false, summaryCalls: undefined, band: undefined };
  const { cost, summaryCalls, low, high } = found;
  // Without the price of its calls a sum of the requests alone would be read as the whole.
  const known = summaryCalls === undefined ? undefined : cost;
  return {
    cost: known,
    writesKnown: hasWrites(requests) || (known?.write ?? 0) > 0,
    summaryCalls,
    band: { low, high },
  };
}
