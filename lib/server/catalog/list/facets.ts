import { z } from "zod";
import type { SessionFacets } from "@/lib/api/contract";
import { FACETS, type Facet } from "@/lib/api/facet-keys";
import type { IndexColumns } from "../index/index-columns";
import { compareText } from "../relations/relations";
import type { Chosen } from "./chosen";
import { breaksOf, sumsOf, type Tally } from "./groups";
import { chosen, type Listed, listFilter } from "./list-filter";
import { tallies } from "./tallies";

/** Query of `GET /api/sessions/facets`. */
export const facetsQuery = listFilter.extend({
  by: z.array(z.enum(FACETS)).max(FACETS.length).default([]).describe("the facets that are wanted; all without one"),
  limit: z.coerce.number().int().min(1).max(10_000).default(200).describe("the most values of a facet"),
});
export type FacetsQuery = z.infer<typeof facetsQuery>;

/** Sums over the sessions that match, by the values of facets. Rejects with `HttpError` for a condition that says nothing. */
export async function facetsOf(columns: IndexColumns, listed: Listed, query: FacetsQuery): Promise<SessionFacets> {
  return facetsOver(columns, await chosen(columns, listed, query), query);
}

/** Sums over sessions, by the values of facets. */
export function facetsOver(
  columns: IndexColumns,
  chosen: Chosen,
  { by, limit }: Pick<FacetsQuery, "by" | "limit">,
): SessionFacets {
  const wanted = by.length === 0 ? FACETS : FACETS.filter((facet) => by.includes(facet));
  const tallyOf = tallies(columns, chosen);
  const all = chosen.all();
  const facets = wanted.map((facet) => [facet, valuesOf(tallyOf(facet), facet, limit)]);
  return {
    total: sumsOf(tallyOf("all"))(0),
    breaksByCause: breaksOf(all.rows, all.groups)(0),
    timeZone: chosen.timeZone,
    facets: Object.fromEntries(facets),
  };
}

/** Days follow one another, the last first; of anything else the most frequent is first. */
function valuesOf(tally: Tally, facet: Facet, limit: number) {
  const sums = sumsOf(tally);
  const found = tally.values.flatMap((value, group) => {
    const sessions = tally.counts[group] ?? 0;
    return sessions === 0 ? [] : [{ value, group, sessions }];
  });
  found.sort(
    facet === "day"
      ? (a, b) => compareText(b.value ?? "", a.value ?? "")
      : (a, b) => b.sessions - a.sessions || compareText(a.value ?? "", b.value ?? ""),
  );
  return found.slice(0, limit).map(({ value, group }) => ({ value, ...sums(group) }));
}
