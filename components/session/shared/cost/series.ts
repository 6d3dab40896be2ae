import type { SummaryCall } from "@/lib/core/cost/cost-sum";
import type { PricedRequest } from "@/lib/core/cost/priced-requests";
import { costOfRequest } from "@/lib/core/cost/recorded-cost";
import type { SimulatedSeries } from "@/lib/core/cost/simulated/simulated-series";
import type { CostUnit } from "../state/url-state";

/** The parts of a request's cost, in stacking order. */
export const COST_PARTS = ["read", "write", "plain", "output"] as const;
export type CostPart = (typeof COST_PARTS)[number];

/** The parts that are drawn. The request after a simulated compaction has the call for its summary on top. */
export const DRAWN_PARTS = [...COST_PARTS, "call"] as const;
export type DrawnPart = (typeof DRAWN_PARTS)[number];

export type CostParts = Readonly<Record<CostPart, number>> & { readonly call?: number };

/** Colours of the parts: cache reads and writes are blue, uncached input has a hue of its own, the answer is grey. */
export const PART_PAINT: Readonly<Record<DrawnPart, string>> = {
  read: "var(--c-results)",
  write: "var(--c-user)",
  plain: "var(--c-mcp)",
  output: "var(--c-system)",
  call: "var(--accent)",
};

/** The parts of every request point, in micro-dollars or tokens; `undefined` if unknown, without usage or a price. */
export type CostSeries = readonly (CostParts | undefined)[];

export function costSeries(requests: readonly PricedRequest[], points: number, unit: CostUnit): CostSeries {
  const series = new Array<CostParts | undefined>(points).fill(undefined);
  for (const request of requests) series[request.request] = unit === "usd" ? costOfRequest(request) : tokensOf(request);
  return series;
}

function tokensOf({ read, write5m, write1h, plain, output }: PricedRequest): CostParts {
  return { read, write: write5m + write1h, plain, output };
}

const NO_PARTS: CostParts = { read: 0, write: 0, plain: 0, output: 0 };

/** As `costSeries`, for a simulation, with calls for summaries added to the next requests; `undefined` if the cache reads are unknown. */
export function simulatedCostSeries(
  { requests, calls }: SimulatedSeries,
  compactions: readonly SummaryCall[],
  points: number,
  unit: CostUnit,
): CostSeries {
  const series = new Array<CostParts | undefined>(points).fill(undefined);
  for (const { request, read, write, plain, output, cost } of requests) {
    const tokens = read === undefined ? undefined : { read, write, plain, output };
    series[request] = unit === "usd" ? cost : tokens;
  }
  compactions.forEach(({ request, summaryCallTokens, summaryTokens }, index) => {
    const call = unit === "usd" ? calls[index] : summaryCallTokens > 0 ? summaryCallTokens + summaryTokens : 0;
    const at = Math.min(request, points - 1);
    const parts = series[at] ?? NO_PARTS;
    if (call !== undefined && call > 0) series[at] = { ...parts, call: (parts.call ?? 0) + call };
  });
  return series;
}

export function sumOfParts({ read, write, plain, output, call = 0 }: CostParts): number {
  return read + write + plain + output + call;
}

/** A column of the chart for the requests `from` to `to` (half-open). It shows the most expensive of them. */
export interface CostBar {
  readonly from: number;
  readonly to: number;
  readonly request: number;
  readonly parts: CostParts;
}

/** At most `most` columns for a range's requests with known parts. A column of several requests shows the most expensive one. */
export function costBars(series: CostSeries, from: number, to: number, most: number): readonly CostBar[] {
  const width = Math.max(1, Math.ceil((to - from) / Math.max(1, most)));
  const bars: CostBar[] = [];
  for (let start = from; start < to; start += width) {
    const bar = mostExpensive(series, start, Math.min(to, start + width));
    if (bar !== undefined) bars.push(bar);
  }
  return bars;
}

function mostExpensive(series: CostSeries, from: number, to: number): CostBar | undefined {
  let found: CostBar | undefined;
  for (let request = from; request < to; request++) {
    const parts = series[request];
    if (parts === undefined) continue;
    if (found === undefined || sumOfParts(parts) > sumOfParts(found.parts)) found = { from, to, request, parts };
  }
  return found;
}
