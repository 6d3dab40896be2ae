import { type Expression, sql } from "kysely";
import { z } from "zod";
import { profileOf } from "@/lib/agents/profiles";
import type { SessionChoices } from "@/lib/api/contract";
import { CHOICES, type Choice, COST_BANDS, NEAR_LIMIT } from "@/lib/api/facet-keys";
import { lastPart } from "@/lib/api/last-part";
import type { IndexDatabase } from "../database/database";
import { totalOf } from "./facets";
import { type Listed, type ListFilter, listFilter, matching, withoutKey } from "./list-filter";

/** Query of `GET /api/sessions/choices`. */
export const choicesQuery = listFilter.extend({
  limit: z.coerce.number().int().min(1).max(10_000).default(200).describe("the most values of a key"),
});
export type ChoicesQuery = z.infer<typeof choicesQuery>;

type Values = SessionChoices["choices"][Choice];
/** How many sessions have a value. */
type Counts = ReadonlyMap<string | null, number>;

/** What the sessions that match can be narrowed to. Rejects with `HttpError` for a condition that says nothing. */
export async function choicesOf(database: IndexDatabase, listed: Listed, query: ChoicesQuery): Promise<SessionChoices> {
  const [total, together, ...counts] = await Promise.all([
    totalOf(database, listed, query),
    countsOfAll(database, listed, query),
    ...CHOICES.map((key) => ownCounts(database, listed, query, key)),
  ]);
  const values = CHOICES.map((key, at): [Choice, Values] => {
    const all = valuesOf(key, counts[at] ?? together(key));
    return [key, all.slice(0, query.limit)];
  });
  // There is a value for every key.
  return { total, choices: Object.fromEntries(values) as SessionChoices["choices"] };
}

/** The keys that every session has one value of, as texts. */
const SINGLE = {
  agent: sql<string | null>`agent`,
  project: sql<string | null>`project`,
  version: sql<string | null>`version`,
  state: sql<string | null>`state`,
  compacted: sql<string | null>`cast(cast(compacted as integer) as text)`,
  faulty: sql<string | null>`cast(cast(faulty as integer) as text)`,
  near: sql<
    string | null
  >`case when peak_share >= ${sql.lit(NEAR_LIMIT)} then '1' when peak_share is not null then '0' end`,
  // A session without a price has the empty text, and what was not read has none.
  cost: sql<string | null>`case ${sql.join(
    COST_BANDS.map((least) => sql`when cost >= ${sql.lit(least)} then ${sql.lit(String(least))}`),
    sql` `,
  )} when state = 'read' then '' end`,
} as const satisfies Partial<Record<Choice, Expression<string | null>>>;
type Single = keyof typeof SINGLE;

function isSingle(key: Choice): key is Single {
  return Object.hasOwn(SINGLE, key);
}

/** The counts of all keys with one value, from one look at the sessions. */
async function countsOfAll(
  database: IndexDatabase,
  listed: Listed,
  query: ListFilter,
): Promise<(key: Choice) => Counts> {
  const rows = await database.query
    .selectFrom("sessions")
    .select(({ fn }) => [
      ...Object.entries(SINGLE).map(([key, value]) => value.as(key as Single)), // The keys are those of the object.
      fn.countAll<number>().as("sessions"),
    ])
    .where(matching(database, listed, query))
    .groupBy(Object.values(SINGLE))
    .execute();
  return (key) =>
    isSingle(key) ? counted(rows.map((row) => ({ value: row[key], sessions: row.sessions }))) : new Map();
}

/** The counts of one key, where they are not those of all keys: of models, and of a key of which something is chosen. */
async function ownCounts(
  database: IndexDatabase,
  listed: Listed,
  query: ListFilter,
  key: Choice,
): Promise<Counts | undefined> {
  // Being near the limit is asked for by how full the window was.
  const others = withoutKey(query, key === "near" ? "fill" : key);
  if (key === "model") return modelCounts(database, listed, others);
  const isNarrowed = others.where.length < query.where.length || query[key as "agent"] !== undefined;
  if (!isNarrowed || !isSingle(key)) return undefined;
  const value = SINGLE[key];
  const rows = await database.query
    .selectFrom("sessions")
    .select(({ fn }) => [value.as("value"), fn.countAll<number>().as("sessions")])
    .where(matching(database, listed, others))
    .groupBy(value)
    .execute();
  return counted(rows);
}

async function modelCounts(database: IndexDatabase, listed: Listed, filter: ListFilter): Promise<Counts> {
  const rows = await database.query
    .selectFrom("sessions")
    .innerJoin("session_models", "session_models.id", "sessions.id")
    .select(({ fn }) => ["session_models.model as value", fn.countAll<number>().as("sessions")])
    .where(matching(database, listed, filter))
    .groupBy("session_models.model")
    .execute();
  return counted(rows);
}

function counted(rows: readonly { readonly value: string | null; readonly sessions: number }[]): Counts {
  const counts = new Map<string | null, number>();
  for (const { value, sessions } of rows) counts.set(value, (counts.get(value) ?? 0) + sessions);
  return counts;
}

/** Values that say nothing as long as a file was not read. */
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

/** The shortest ends of paths by which projects are told apart, up to three folders. */
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
  return parts === 1 ? lastPart(path) : path.split(/[\\/]/u).filter(Boolean).slice(-parts).join("/");
}
