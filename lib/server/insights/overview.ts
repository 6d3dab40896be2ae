import { z } from "zod";
import type { InsightsAnswer } from "@/lib/api/contract";
import { FACETS } from "@/lib/api/facet-keys";
import type { IndexColumns } from "../catalog/index/index-columns";
import { facetsOver } from "../catalog/list/facets";
import { breaksOf, type Groups, withoutCopies } from "../catalog/list/groups";
import { chosen, type Listed, listFilter } from "../catalog/list/list-filter";
import { withRequests } from "./asked-sessions";
import { trustOf } from "./trust";

/** Query of `GET /api/insights`. */
export const insightsQuery = listFilter.extend({
  by: z.enum(FACETS).default("day").describe("what the sums are divided by"),
  limit: z.coerce.number().int().min(1).max(1000).default(60).describe("the most values"),
});
export type InsightsQuery = z.infer<typeof insightsQuery>;

type Distribution = InsightsAnswer["distributions"]["peak"];

/** Sums and distributions over the sessions that match. Rejects with `HttpError` for a condition that says nothing. */
export async function overviewOf(
  columns: IndexColumns,
  listed: Listed,
  { by, limit, ...filter }: InsightsQuery,
): Promise<InsightsAnswer> {
  const matched = await chosen(columns, listed, filter);
  const { places } = matched;
  const { total, breaksByCause, timeZone, facets } = facetsOver(columns, matched, { by: [by], limit });
  const { groups: byValue, rows } = matched.by(by);
  const groupOf = new Map(byValue.values.map((value, group) => [value, group]));
  const [breaks, peaks] = [breaksOf(rows, byValue), peaksOf(columns, byValue)];
  const groups = (facets[by] ?? []).map((sums) => {
    const group = groupOf.get(sums.value) ?? 0;
    return { ...sums, breaksByCause: breaks(group), peak: percentiles(peaks[group]) };
  });
  // A session without usage has no cost and no peak.
  const own = withRequests(columns, places);
  const distribution = (figure: "peak" | "cost" | "requests") =>
    distributionOf(Float64Array.from(own, (place) => columns.number(figure)[place] ?? Number.NaN));
  return {
    by,
    total,
    breaksByCause,
    timeZone,
    groups,
    trust: trustOf(columns, places),
    distributions: {
      peak: distribution("peak"),
      cost: distribution("cost"),
      requests: distribution("requests"),
    },
  };
}

/** @param values of some sessions, `NaN` where it is not known */
function distributionOf(values: Float64Array): Distribution {
  const known = values.filter((value) => !Number.isNaN(value)).sort();
  const sessions = known.length;
  // The values at which another hundredth of them is passed: whatever their number, at most a hundred, and all percentiles are among them.
  const passed = (count: number) => Math.floor((count * 100) / sessions);
  const points: Distribution["points"] = [];
  for (const [before, value] of known.entries())
    if (passed(before + 1) > passed(before)) points.push([value, before + 1]);
  return { sessions, unknown: values.length - sessions, points };
}

/** The largest contexts of the sessions of every group. */
function peaksOf(columns: IndexColumns, all: Groups): readonly Distribution[] {
  const { values, places, groups } = withoutCopies(columns, all);
  const peak = columns.number("peak");
  const peaks = values.map((): number[] => []);
  for (const [at, place] of places.entries()) peaks[groups[at] ?? 0]?.push(peak[place] ?? Number.NaN);
  return peaks.map((numbers) => distributionOf(Float64Array.from(numbers)));
}

/** The nearest ranks: values that sessions really have. */
function percentiles(distribution: Distribution | undefined) {
  if (distribution === undefined || distribution.points.length === 0) return null;
  const { sessions, points } = distribution;
  const at = (share: number) => points.find(([, place]) => place >= share * sessions)?.[0] ?? 0;
  return { p50: at(0.5), p75: at(0.75), p95: at(0.95) };
}
