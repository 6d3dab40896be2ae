import { z } from "zod";
import { FACETS, type Facet } from "@/lib/core/base/facet-keys";
import type { SessionFacets } from "@/lib/queries/contract/schemas";
import type { Chosen } from "./chosen";
import { type Groups, gathered, missesOf, modelCodes, sumsOf, type Tally, tallied } from "./groups";
import type { IndexColumns, Places } from "./index/index-columns";
import { chosen, type Listed, listFilter } from "./list-filter";
import { compareText } from "./relations/relations";

/** Query of `GET /api/sessions/facets`. */
export const facetsQuery = listFilter.extend({
  by: z.array(z.enum(FACETS)).max(FACETS.length).default([]).describe("the requested facets; by default all"),
  limit: z.coerce.number().int().min(1).max(10_000).default(200).describe("maximum number of values of a facet"),
});
export type FacetsQuery = z.infer<typeof facetsQuery>;

/** Sums over matching sessions, by the values of facets. Rejects with `RefusedError` for an invalid condition. */
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
    breaksByCause: missesOf(all.rows, all.groups)(0),
    timeZone: chosen.timeZone,
    facets: Object.fromEntries(facets),
  };
}

/** Days in sequence, the last first; other values by frequency. */
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

/**
 * Sums of the sessions, in total and by facets. Each grouping walks over all metrics of all sessions, so facets with few values are summed from all
 * their combinations.
 */
function tallies(columns: IndexColumns, chosen: Chosen): (by: Facet | "all") => Tally {
  const combinations = combined(columns, chosen.places);
  const single = (by: Facet | "all") => {
    const { rows, groups } = by === "all" ? chosen.all() : chosen.by(by);
    return tallied(rows, groups);
  };
  if (combinations === undefined) return single;
  const all = chosen.all();
  const { rows } = all.groups;
  const fine = tallied(all.rows, { ...combinations, ...(rows && { rows }) });
  const { codesOf } = combinations;
  return (by) => {
    switch (by) {
      case "all":
        return gathered(fine, [null], () => [0]);
      case "agent":
        return gathered(fine, columns.text(by).values, (group) => [codesOf(group)[0]]);
      case "version":
        return gathered(fine, columns.text(by).values, (group) => [codesOf(group)[1]]);
      case "model": {
        const { values, codes } = modelCodes(columns);
        return gathered(fine, values, (group) => codes[codesOf(group)[2]] ?? []);
      }
      default:
        return single(by);
    }
  };
}

/** Maximum number of possible combinations, for which a table is used. */
const MAX_COMBINATIONS = 1 << 20;

/** Sessions by agent, version and models at once. */
interface Combinations extends Groups {
  /** The codes of a group: agent, version and models. */
  readonly codesOf: (group: number) => readonly [agent: number, version: number, models: number];
}

/** The sessions by agent, version and models at once; `undefined` for too many possible combinations. */
function combined(columns: IndexColumns, places: Places): Combinations | undefined {
  const [agents, versions, models] = [columns.text("agent"), columns.text("version"), columns.text("models")];
  const [inVersion, inAgent] = [models.values.length, models.values.length * versions.values.length];
  if (inAgent * agents.values.length > MAX_COMBINATIONS) return undefined;
  const known = new Uint32Array(inAgent * agents.values.length);
  const groups = new Uint32Array(places.length);
  const found: number[] = [];
  for (let at = 0; at < places.length; at++) {
    const place = places[at] ?? 0;
    const code =
      (agents.codes[place] ?? 0) * inAgent + (versions.codes[place] ?? 0) * inVersion + (models.codes[place] ?? 0);
    // Group numbers start from 1: 0 is a combination without a group.
    if (known[code] === 0) known[code] = found.push(code);
    groups[at] = (known[code] ?? 1) - 1;
  }
  const codesOf = (group: number) => {
    const code = found[group] ?? 0;
    return [
      Math.floor(code / inAgent),
      Math.floor(code / inVersion) % versions.values.length,
      code % inVersion,
    ] as const;
  };
  return { values: found.map(() => null), places, groups, codesOf };
}
