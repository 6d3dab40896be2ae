import { type Expression, sql } from "kysely";
import { z } from "zod";
import type { SessionFacets, SessionSums } from "@/lib/api/contract";
import { FACETS, type Facet } from "@/lib/api/facet-keys";
import type { IndexDatabase } from "../database/database";
import { type Listed, type ListFilter, listFilter, matching } from "./list-filter";

/** Query of `GET /api/sessions/facets`. */
export const facetsQuery = listFilter.extend({
  by: z.array(z.enum(FACETS)).max(FACETS.length).default([]).describe("the facets that are wanted; all without one"),
  limit: z.coerce.number().int().min(1).max(10_000).default(200).describe("the most values of a facet"),
});
export type FacetsQuery = z.infer<typeof facetsQuery>;

/** Sums over the sessions that match, by the values of facets. Rejects with `HttpError` for a condition that says nothing. */
export async function facetsOf(database: IndexDatabase, listed: Listed, query: FacetsQuery): Promise<SessionFacets> {
  const wanted = query.by.length === 0 ? FACETS : FACETS.filter((facet) => query.by.includes(facet));
  const [total, breaksByCause, ...values] = await Promise.all([
    totalOf(database, listed, query),
    breaksOf(database, listed, query),
    ...wanted.map((facet) => valuesOf(database, listed, query, facet)),
  ]);
  return { total, breaksByCause, facets: Object.fromEntries(wanted.map((facet, at) => [facet, values[at] ?? []])) };
}

/** A sum over sessions of which no other one counts all requests; `null` where none says how much. */
function once(column: string) {
  return sql<number | null>`sum(case when copy = 0 then ${sql.ref(column)} end)`;
}

const UNPRICED = sql<number>`coalesce(sum(case when copy = 0 and requests > 0 and cost is null then 1 else 0 end), 0)`;
const SUMS = [
  sql<number>`count(*)`.as("sessions"),
  sql<number>`coalesce(sum(copy), 0)`.as("copies"),
  sql<number>`coalesce(sum(bytes), 0)`.as("bytes"),
  once("requests").as("requests"),
  once("compactions").as("compactions"),
  once("input").as("input"),
  once("cache_read").as("cacheRead"),
  once("cache_write").as("cacheWrite"),
  once("output").as("output"),
  once("sent").as("sent"),
  once("needed").as("neededAgain"),
  once("needed_tokens").as("neededAgainTokens"),
  once("cost").as("pricedUsd"),
  UNPRICED.as("unpriced"),
] as const;

type Summed = Omit<SessionSums, "costUsd">;

function toSums(sums: Summed): SessionSums {
  return { ...sums, costUsd: sums.unpriced > 0 ? null : sums.pricedUsd };
}

/** Sums over the sessions that match. Rejects with `HttpError` for a condition that says nothing. */
export async function totalOf(database: IndexDatabase, listed: Listed, query: ListFilter): Promise<SessionSums> {
  const sums = database.query
    .selectFrom("sessions")
    .select([...SUMS])
    .where(matching(database, listed, query));
  return toSums(await sums.executeTakeFirstOrThrow());
}

/** The values of a facet, of the table that has them. */
export function facetValue(facet: Facet): Expression<string | null> {
  return sql.ref(facet === "model" ? "session_models.model" : `sessions.${facet}`);
}

async function valuesOf(database: IndexDatabase, listed: Listed, query: FacetsQuery, facet: Facet) {
  const value = facetValue(facet);
  const rows = await database.query
    .selectFrom("sessions")
    .$if(facet === "model", (all) => all.innerJoin("session_models", "session_models.id", "sessions.id") as typeof all)
    .select([...SUMS, sql<string | null>`${value}`.as("value")])
    .where(matching(database, listed, query))
    .groupBy(value)
    // Days follow one another, the last first; of anything else the most frequent is first.
    .orderBy(facet === "day" ? sql`value` : sql`sessions`, "desc")
    .orderBy(sql`value`)
    .limit(query.limit)
    .execute();
  return rows.map(({ value: name, ...sums }) => ({ value: name, ...toSums(sums) }));
}

async function breaksOf(database: IndexDatabase, listed: Listed, query: FacetsQuery) {
  return database.query
    .selectFrom("sessions")
    .innerJoin("session_breaks", "session_breaks.id", "sessions.id")
    .select(({ fn }) => [
      "cause",
      fn.sum<number>("count").as("count"),
      fn.sum<number>("tokens").as("tokens"),
      // A sum that lacks one price is none.
      sql<number | null>`case when count(*) = count(usd) then sum(usd) end`.as("usd"),
    ])
    .where(matching(database, listed, query))
    .where("copy", "=", 0)
    .groupBy("cause")
    .orderBy("cause")
    .execute();
}
