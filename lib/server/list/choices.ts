import { z } from "zod";
import { profileOf } from "@/lib/agents/registry";
import { CHOICES, type Choice, COST_BANDS, NEAR_LIMIT } from "@/lib/core/base/facet-keys";
import type { SessionChoices } from "@/lib/queries/contract/schemas";
import { projectName } from "@/lib/queries/wire/project-name";
import { countsOf, type Groups, groupsBy, sumsOf, tallied } from "./groups";
import type { IndexColumns, NumberName, Places } from "./index/index-columns";
import { chosen, type Listed, type ListFilter, listFilter, matching, parseConditions, withoutKey } from "./list-filter";

/** Query of `GET /api/sessions/choices`. */
export const choicesQuery = listFilter.extend({
  limit: z.coerce.number().int().min(1).max(10_000).default(200).describe("maximum number of values of a key"),
});
export type ChoicesQuery = z.infer<typeof choicesQuery>;

type Values = SessionChoices["choices"][Choice];
/** Number of sessions with a value. */
type Counts = ReadonlyMap<string | null, number>;

/** Values that can narrow the matching sessions. Rejects with `RefusedError` for an invalid condition. */
export async function choicesOf(columns: IndexColumns, listed: Listed, query: ChoicesQuery): Promise<SessionChoices> {
  const all = await chosen(columns, listed, query);
  const { places: matched } = all;
  const values = CHOICES.map(async (key): Promise<[Choice, Values]> => {
    const others = othersOf(query, key);
    const places = others === undefined ? matched : await matching(columns, listed, others);
    return [key, valuesOf(key, counted(groupsOf(columns, places, key))).slice(0, query.limit)];
  });
  return {
    total: sumsOf(tallied(all.all().rows, all.all().groups))(0),
    // Every key has a value.
    choices: Object.fromEntries(await Promise.all(values)) as SessionChoices["choices"],
  };
}

/** The filter without its conditions on a key; nothing if it has none. */
function othersOf(query: ListFilter, choice: Choice): ListFilter | undefined {
  // The fullness of the window decides whether a session is near the limit.
  const key = choice === "near" ? "fill" : choice;
  const isNarrowed =
    parseConditions(query.where).some((one) => one.key === key) || query[key as "agent" | "project"] !== undefined;
  return isNarrowed ? withoutKey(query, key) : undefined;
}

/** The sessions by their value of a key. */
function groupsOf(columns: IndexColumns, places: Places, key: Choice): Groups {
  switch (key) {
    case "compacted":
    case "faulty":
      return banded(columns, places, { name: key, leasts: [1, 0] });
    case "near":
      return banded(columns, places, { name: "peak_share", leasts: [NEAR_LIMIT, 0], values: ["1", "0"] });
    case "cost":
      return withUnpriced(columns, banded(columns, places, { name: "cost", leasts: COST_BANDS }));
    default:
      return groupsBy(columns, places, key);
  }
}

interface Bands {
  readonly name: NumberName;
  /** Lower bounds of bands, the largest first. */
  readonly leasts: readonly number[];
  readonly values?: readonly string[];
}

/** Sessions by bands of a number; unknown numbers come last. */
function banded(columns: IndexColumns, places: Places, { name, leasts, values = leasts.map(String) }: Bands): Groups {
  const numbers = columns.number(name);
  const groups = new Uint32Array(places.length);
  for (let at = 0; at < places.length; at++) {
    const number = numbers[places[at] ?? 0] ?? Number.NaN;
    let band = 0;
    while (band < leasts.length && !(number >= (leasts[band] ?? 0))) band++;
    groups[at] = band;
  }
  return { values: [...values, null], places, groups };
}

/** A session without a price has the empty text, and an unread one has none. */
function withUnpriced(columns: IndexColumns, { values, places, groups }: Groups): Groups {
  const { codes, values: states } = columns.text("state");
  const [unknown, unpriced] = [values.indexOf(null), values.length];
  const isUnpriced = (at: number) => groups[at] === unknown && states[codes[places[at] ?? 0] ?? 0] === "read";
  return { values: [...values, ""], places, groups: groups.map((group, at) => (isUnpriced(at) ? unpriced : group)) };
}

function counted(groups: Groups): Counts {
  const counts = countsOf(groups);
  return new Map(groups.values.flatMap((value, group) => (counts[group] ? [[value, counts[group]]] : [])));
}

/** Values without meaning before a file is read. */
const OF_READ: readonly Choice[] = ["compacted", "faulty", "near", "cost"];

function valuesOf(key: Choice, counts: Counts): Values {
  const known = [...counts].filter(([value]) => value !== null || !OF_READ.includes(key));
  const names = key === "project" ? projectNames(known.flatMap(([value]) => value ?? [])) : undefined;
  return known
    .map(([value, sessions]) => ({ value: value || null, label: value ? labelOf(key, value, names) : null, sessions }))
    .sort((a, b) => b.sessions - a.sessions || ((a.label ?? "") < (b.label ?? "") ? -1 : 1));
}

function labelOf(key: Choice, value: string, names: ReadonlyMap<string, string> | undefined): string {
  return names?.get(value) ?? (key === "agent" ? profileOf(value)?.label : undefined) ?? value;
}

/** The shortest ends of paths that distinguish projects, up to three folders. */
function projectNames(paths: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  for (let parts = 1; parts <= 3 && names.size < paths.length; parts += 1) {
    const ends = new Map<string, string[]>();
    for (const path of paths)
      if (!names.has(path)) ends.set(endOf(path, parts), [...(ends.get(endOf(path, parts)) ?? []), path]);
    for (const [end, [path, ...others]] of ends) if (path !== undefined && others.length === 0) names.set(path, end);
  }
  return names;
}

function endOf(path: string, parts: number): string {
  return parts === 1 ? projectName(path) : path.split(/[\\/]/u).filter(Boolean).slice(-parts).join("/");
}
