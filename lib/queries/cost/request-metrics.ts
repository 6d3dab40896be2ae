import { boundariesOf, type SessionColumns } from "@/lib/core/columns/columns";
import { keyedRequests } from "@/lib/core/columns/request-keys";
import { billedRequests } from "@/lib/core/cost/bill";
import { cacheMisses, MISS_CAUSES } from "@/lib/core/cost/cache-misses";
import { type PriceChoice, pricedRequests } from "@/lib/core/cost/priced-requests";
import { costOfRequest } from "@/lib/core/cost/recorded-cost";
import type { Prices } from "@/lib/core/prices/prices";

/**
 * Metrics of a request: its time in milliseconds since 1970, its tokens, the parts of its cost in micro-dollars, the compactions before it with the
 * re-fetches that followed them, and the cache miss. Unknown values are NaN.
 */
const REQUEST_METRICS = [
  ...(["at", "input", "cacheRead", "cacheWrite", "output", "reasoning"] as const),
  // 0 for a further pass of a response; 1 where the recorded output is a lower bound.
  ...(["isResponse", "isPartial"] as const),
  ...(["readCost", "writeCost", "plainCost", "outputCost"] as const),
  // For a request without a price, the code of its model; −1 if it names no model.
  "unpricedModel",
  ...(["compactions", "refetched", "refetchedTokens"] as const),
  // Recorded time of these compactions, in milliseconds.
  "compactingMs",
  // A code of `MISS_CAUSES`.
  ...(["cause", "missedTokens", "missedCost"] as const),
  // The code of the place that the request was made in.
  "place",
] as const;
export type RequestMetric = (typeof REQUEST_METRICS)[number];

/** Re-fetches after the compaction before a request. */
export interface RefetchedAfter {
  readonly request: number;
  readonly count: number;
  readonly tokens: number;
}

/**
 * Metrics of a session's requests in the order of their keys, request by request, so that any of them can be summed without the file.
 * @param places codes of the requests' places, in the same order; default: one place for all
 * @param durations recorded time of every compaction in milliseconds, in order; absent if not recorded
 * @param choice prices of the requests; the cache misses keep the recorded ones
 */
export function requestMetrics(
  columns: SessionColumns,
  prices: Prices,
  refetched: readonly RefetchedAfter[] | undefined,
  places: readonly number[] = [],
  durations: readonly (number | null | undefined)[] = [],
  choice: PriceChoice = {},
): Float64Array {
  const billed = [...billedRequests(columns, prices, choice)];
  const table = new MetricTable(new Float64Array(billed.length * REQUEST_METRICS.length).fill(Number.NaN));
  for (const [at, { priced, columns: of, isResponse, isPartial }] of billed.entries()) {
    const row = priced.request;
    table.set(at, "at", of.at[row]);
    for (const name of ["input", "cacheRead", "cacheWrite", "output", "reasoning"] as const)
      table.set(at, name, known(of[name][row]));
    table.set(at, "isResponse", Number(isResponse));
    table.set(at, "isPartial", Number(isPartial));
    const cost = costOfRequest(priced);
    const { read, write, plain, output } = cost ?? {};
    if (cost === undefined) table.set(at, "unpricedModel", of.model[row] ?? -1);
    for (const [name, cost] of Object.entries({
      readCost: read,
      writeCost: write,
      plainCost: plain,
      outputCost: output,
    }))
      table.set(at, name as RequestMetric, cost); // The keys are those above.
    table.set(at, "place", places[at] ?? 0);
    table.set(at, "compactions", 0);
    if (refetched !== undefined) for (const name of ["refetched", "refetchedTokens"] as const) table.set(at, name, 0);
  }
  addChainEvents(table, columns, prices, refetched, durations);
  return table.values;
}

/** Adds events between the requests of the main chain: compactions, and cache misses. */
function addChainEvents(
  table: MetricTable,
  columns: SessionColumns,
  prices: Prices,
  refetched: readonly RefetchedAfter[] = [],
  durations: readonly (number | null | undefined)[] = [],
): void {
  const rows = keyedRequests(columns).flatMap(({ requests, row }) => (requests === columns.requests ? [row] : []));
  if (rows.length === 0) return;
  const positions = new Map(rows.map((row, at) => [row, at]));
  // Events after the last request count with it.
  const positionAt = (request: number) => {
    const at = rows.findIndex((row) => row >= request);
    return at < 0 ? rows.length - 1 : at;
  };
  for (const [ordinal, row] of boundariesOf(columns, "compaction").entries()) {
    const at = positionAt(columns.boundaries.request[row] ?? 0);
    table.add(at, "compactions", 1);
    const took = durations[ordinal];
    if (took != null) table.add(at, "compactingMs", took);
  }
  for (const { request, count, tokens } of refetched) {
    table.add(positionAt(request), "refetched", count);
    table.add(positionAt(request), "refetchedTokens", tokens);
  }
  for (const { request, cause, tokens, cost } of cacheMisses(columns, pricedRequests(columns, prices))?.misses ?? []) {
    const at = positions.get(request);
    if (at === undefined) continue;
    table.set(at, "cause", MISS_CAUSES.indexOf(cause));
    table.set(at, "missedTokens", tokens);
    table.set(at, "missedCost", cost);
  }
}

function known(value: number | undefined): number | undefined {
  return value === undefined || value < 0 ? undefined : value;
}

/** Metrics of requests, row by row. */
export class MetricTable {
  constructor(readonly values: Float64Array) {}

  get rows(): number {
    return this.values.length / REQUEST_METRICS.length;
  }

  get(row: number, name: RequestMetric): number {
    return this.values[row * REQUEST_METRICS.length + REQUEST_METRICS.indexOf(name)] ?? Number.NaN;
  }

  set(row: number, name: RequestMetric, value: number | undefined): void {
    this.values[row * REQUEST_METRICS.length + REQUEST_METRICS.indexOf(name)] = value ?? Number.NaN;
  }

  add(row: number, name: RequestMetric, value: number): void {
    const before = this.get(row, name);
    this.set(row, name, (Number.isNaN(before) ? 0 : before) + value);
  }
}
