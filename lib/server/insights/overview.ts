import { sql } from "kysely";
import { z } from "zod";
import type { InsightsAnswer } from "@/lib/api/contract";
import { FACETS, type Facet } from "@/lib/api/facet-keys";
import { facetsOf, facetValue } from "../catalog/facets";
import { type Listed, type ListFilter, listFilter, matching } from "../catalog/list-filter";
import type { IndexDatabase } from "../database/database";
import { trustOf } from "./trust";

/** Query of `GET /api/insights`. */
export const insightsQuery = listFilter.extend({
  by: z.enum(FACETS).default("day").describe("what the sums are divided by"),
  limit: z.coerce.number().int().min(1).max(1000).default(60).describe("the most values"),
});
export type InsightsQuery = z.infer<typeof insightsQuery>;

type Distribution = InsightsAnswer["distributions"]["peak"];
type BreakSums = InsightsAnswer["breaksByCause"];

/** The figures whose distribution is told. */
const FIGURES = ["peak", "cost", "requests"] as const;

/** Sums and distributions over the sessions that match. Rejects with `HttpError` for a condition that says nothing. */
export async function overviewOf(
  database: IndexDatabase,
  listed: Listed,
  { by, limit, ...filter }: InsightsQuery,
): Promise<InsightsAnswer> {
  const [sums, breaks, peaks, trust, peak, cost, requests] = await Promise.all([
    facetsOf(database, listed, { ...filter, by: [by], limit }),
    breaksBy(database, listed, filter, by),
    peaksBy(database, listed, filter, by),
    trustOf(database, listed, filter),
    ...FIGURES.map((figure) => distributionOf(database, listed, filter, figure)),
  ]);
  const groups = (sums.facets[by] ?? []).map((group) => ({
    ...group,
    ...{ breaksByCause: breaks.get(group.value) ?? [], peak: percentiles(peaks.get(group.value)) },
  }));
  const none: Distribution = { sessions: 0, unknown: 0, points: [] };
  return {
    ...{ by, total: sums.total, breaksByCause: sums.breaksByCause, groups, trust },
    distributions: { peak: peak ?? none, cost: cost ?? none, requests: requests ?? none },
  };
}

/** A figure of the sessions that have requests of their own; a session without usage has no cost and no peak. */
async function distributionOf(
  database: IndexDatabase,
  listed: Listed,
  filter: ListFilter,
  figure: (typeof FIGURES)[number],
): Promise<Distribution> {
  const own = database.query
    .selectFrom("sessions")
    .where(matching(database, listed, filter))
    .where("state", "=", "read")
    .where("copy", "=", 0)
    .where("requests", ">", 0);
  const ranked = own
    .where(figure, "is not", null)
    .select([
      sql<number>`${sql.ref(figure)}`.as("value"),
      sql<number>`row_number() over (order by ${sql.ref(figure)})`.as("place"),
      sql<number>`count(*) over ()`.as("sessions"),
    ]);
  const [points, all] = await Promise.all([
    database.query.selectFrom(ranked.as("ranked")).selectAll().where(isHundredth).orderBy("place").execute(),
    own.select(({ fn }) => fn.countAll<number>().as("sessions")).executeTakeFirst(),
  ]);
  const sessions = points[0]?.sessions ?? 0;
  return {
    ...{ sessions, unknown: (all?.sessions ?? 0) - sessions },
    points: points.map(({ value, place }) => [value, place]),
  };
}

/** The values at which another hundredth of them is passed: whatever their number, at most a hundred, and all percentiles are among them. */
const isHundredth = sql<boolean>`(place * 100) / sessions > ((place - 1) * 100) / sessions`;

async function peaksBy(database: IndexDatabase, listed: Listed, filter: ListFilter, by: Facet) {
  const value = facetValue(by);
  const ranked = database.query
    .selectFrom("sessions")
    .$if(by === "model", (all) => all.innerJoin("session_models", "session_models.id", "sessions.id") as typeof all)
    .where(matching(database, listed, filter))
    .where("copy", "=", 0)
    .where("peak", "is not", null)
    .select([
      sql<string | null>`${value}`.as("group"),
      "peak as value",
      sql<number>`row_number() over (partition by ${value} order by peak)`.as("place"),
      sql<number>`count(*) over (partition by ${value})`.as("sessions"),
    ]);
  const rows = await database.query
    .selectFrom(ranked.as("ranked"))
    .selectAll()
    .where(isHundredth)
    .orderBy("place")
    .execute();
  const groups = new Map<string | null, Distribution>();
  for (const { group, value: peak, place, sessions } of rows) {
    const own = groups.get(group) ?? { sessions, unknown: 0, points: [] };
    if (peak !== null) own.points.push([peak, place]);
    groups.set(group, own);
  }
  return groups;
}

/** The nearest ranks: values that sessions really have. */
function percentiles(distribution: Distribution | undefined) {
  if (distribution === undefined || distribution.points.length === 0) return null;
  const { sessions, points } = distribution;
  const at = (share: number) => points.find(([, place]) => place >= share * sessions)?.[0] ?? 0;
  return { p50: at(0.5), p75: at(0.75), p95: at(0.95) };
}

async function breaksBy(database: IndexDatabase, listed: Listed, filter: ListFilter, by: Facet) {
  const value = facetValue(by);
  const rows = await database.query
    .selectFrom("sessions")
    .innerJoin("session_breaks", "session_breaks.id", "sessions.id")
    .$if(by === "model", (all) => all.innerJoin("session_models", "session_models.id", "sessions.id") as typeof all)
    .select(({ fn }) => [
      "cause",
      sql<string | null>`${value}`.as("group"),
      fn.sum<number>("count").as("count"),
      fn.sum<number>("tokens").as("tokens"),
      // A sum that lacks one price is none.
      sql<number | null>`case when count(*) = count(usd) then sum(usd) end`.as("usd"),
    ])
    .where(matching(database, listed, filter))
    .where("copy", "=", 0)
    .groupBy([sql`${value}`, "cause"])
    .orderBy("cause")
    .execute();
  const groups = new Map<string | null, BreakSums>();
  for (const { group, ...sum } of rows) groups.set(group, [...(groups.get(group) ?? []), sum]);
  return groups;
}
