import { type Expression, sql } from "kysely";
import { z } from "zod";
import type { SessionFacets, SessionSums } from "@/lib/api/contract";
import { FACETS, type Facet } from "@/lib/api/facet-keys";
import type { IndexDatabase } from "../database/database";
import type { SessionsTable } from "../database/schema";
import { type Listed, type ListFilter, listFilter, matching } from "./list-filter";
import { compareText } from "./relations";

/** Query of `GET /api/sessions/facets`. */
export const facetsQuery = listFilter.extend({
  by: z.array(z.enum(FACETS)).max(FACETS.length).default([]).describe("the facets that are wanted; all without one"),
  limit: z.coerce.number().int().min(1).max(10_000).default(200).describe("the most values of a facet"),
});
export type FacetsQuery = z.infer<typeof facetsQuery>;

/** Facets with few values together: one look at the sessions counts them all. Days would multiply its groups, and a session has several models. */
const TOGETHER = ["agent", "project", "version"] as const satisfies readonly Facet[];
type Together = (typeof TOGETHER)[number];

/** Sums over the sessions that match, by the values of facets. Rejects with `HttpError` for a condition that says nothing. */
export async function facetsOf(database: IndexDatabase, listed: Listed, query: FacetsQuery): Promise<SessionFacets> {
  const wanted = query.by.length === 0 ? FACETS : FACETS.filter((facet) => query.by.includes(facet));
  const together = TOGETHER.filter((facet) => wanted.includes(facet));
  const [all, breaksByCause, ...others] = await Promise.all([
    groupsOf(database, listed, query, together),
    breaksOf(database, listed, query),
    ...wanted.map((facet) => (isTogether(facet) ? undefined : groupsOf(database, listed, query, [facet]))),
  ]);
  const facets = wanted.map((facet, at) => [facet, valuesOf(facet, others[at] ?? all).slice(0, query.limit)]);
  return { total: summed(all), breaksByCause, facets: Object.fromEntries(facets) };
}

function isTogether(facet: Facet): facet is Together {
  return TOGETHER.some((one) => one === facet);
}

/** Sums that count a request once: they leave out sessions of which other ones count all requests. `null` where no session says how much. */
const ONCE = {
  requests: "requests",
  compactions: "compactions",
  input: "input",
  cacheRead: "cache_read",
  cacheWrite: "cache_write",
  output: "output",
  sent: "sent",
  neededAgain: "needed",
  neededAgainTokens: "needed_tokens",
  pricedUsd: "cost",
} as const satisfies Partial<Record<keyof SessionSums, keyof SessionsTable>>;
type Once = keyof typeof ONCE;
const ONCE_KEYS = Object.keys(ONCE) as Once[]; // as they are written above

const SUMS = [
  sql<number>`count(*)`.as("sessions"),
  sql<number>`sum(bytes)`.as("bytes"),
  ...ONCE_KEYS.map((key) => sql<number | null>`sum(${sql.ref(ONCE[key])})`.as(key)),
  sql<number>`sum(case when requests > 0 and cost is null then 1 else 0 end)`.as("unpriced"),
];

/** Sums of the sessions that agree in some facets, copies apart. */
type Group = Readonly<
  Record<"sessions" | "bytes" | "copy" | "unpriced", number> &
    Record<Once, number | null> &
    Partial<Record<Facet, string | null>>
>;

async function groupsOf(
  database: IndexDatabase,
  listed: Listed,
  query: ListFilter,
  facets: readonly Facet[],
): Promise<readonly Group[]> {
  const values = facets.map((facet) => facetValue(facet));
  const rows = await database.query
    .selectFrom("sessions")
    .$if(
      facets.includes("model"),
      (all) => all.innerJoin("session_models", "session_models.id", "sessions.id") as typeof all,
    )
    .select([...SUMS, "copy", ...facets.map((facet, at) => sql`${values[at]}`.as(facet))])
    .where(matching(database, listed, query))
    .groupBy(["copy", ...values.map((value) => sql`${value}`)])
    .execute();
  // The columns are those of the query.
  return rows as unknown as Group[];
}

/** Sums over groups. */
function summed(groups: readonly Group[]): SessionSums {
  const own = groups.filter(({ copy }) => copy === 0);
  const sum = (of: readonly Group[], key: "sessions" | "bytes" | "unpriced") =>
    of.reduce((all, one) => all + one[key], 0);
  const [sessions, unpriced] = [sum(groups, "sessions"), sum(own, "unpriced")];
  const once = Object.fromEntries(
    ONCE_KEYS.map((key) => {
      const known = own.flatMap((group) => group[key] ?? []);
      return [key, known.length === 0 ? null : known.reduce((all, one) => all + one, 0)];
    }),
  ) as Record<Once, number | null>; // every key has a sum
  return {
    ...once,
    ...{ sessions, copies: sessions - sum(own, "sessions"), bytes: sum(groups, "bytes"), unpriced },
    costUsd: unpriced > 0 ? null : once.pricedUsd,
  };
}

/** Sums over the sessions that match. Rejects with `HttpError` for a condition that says nothing. */
export async function totalOf(database: IndexDatabase, listed: Listed, query: ListFilter): Promise<SessionSums> {
  return summed(await groupsOf(database, listed, query, []));
}

/** The values of a facet, of the table that has them. */
export function facetValue(facet: Facet): Expression<string | null> {
  return sql.ref(facet === "model" ? "session_models.model" : `sessions.${facet}`);
}

/** Days follow one another, the last first; of anything else the most frequent is first. */
function valuesOf(facet: Facet, groups: readonly Group[]) {
  const byValue = new Map<string | null, Group[]>();
  for (const group of groups) {
    const value = group[facet] ?? null;
    const same = byValue.get(value);
    if (same === undefined) byValue.set(value, [group]);
    else same.push(group);
  }
  const values = [...byValue].map(([value, same]) => ({ value, ...summed(same) }));
  if (facet === "day") return values.sort((a, b) => compareText(b.value ?? "", a.value ?? ""));
  return values.sort((a, b) => b.sessions - a.sessions || compareText(a.value ?? "", b.value ?? ""));
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
