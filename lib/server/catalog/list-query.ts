import { type Expression, sql } from "kysely";
import { z } from "zod";
import { PROFILES } from "@/lib/agents/profiles";
import type { IndexDatabase } from "../database/database";
import type { SessionsTable } from "../database/schema";
import { HttpError } from "../http/http-error";
import { type Listed, listFilter, matching } from "./list-filter";
import { sortText } from "./sort-text";

/** Query of `GET /api/sessions`. */
export const listQuery = listFilter.extend({
  sort: z.string().max(30).default("-modified"),
  cursor: z.string().max(4000).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type ListQuery = z.infer<typeof listQuery>;

/** What a list may be sorted by; a `-` before it means descending. What is not known comes last in both directions: it is not little. */
const SORT_KEYS = {
  modified: sql<number>`modified`,
  title: sql<string>`title`,
  bytes: sql<number>`bytes`,
  started: numbers("started"),
  when: numbers("ended"),
  project: texts(sql<string>`nullif(project_name, '')`),
  agent: agents(),
  model: texts("model"),
  // Where no request recorded its usage, none was counted.
  requests: numbers(sql<number>`nullif(requests, 0)`),
  compactions: numbers("compactions"),
  peak: numbers("peak"),
  peakShare: numbers("peak_share"),
  sent: numbers("sent"),
  cost: numbers("cost"),
  notRead: numbers("damaged"),
} as const satisfies Record<string, Sorted | Expression<string | number>>;

/** A value with what stands for it, upwards and downwards, where it is not known. */
interface Sorted {
  readonly asc: Expression<string | number>;
  readonly desc: Expression<string | number>;
}

function numbers(column: keyof SessionsTable | Expression<number>): Sorted {
  const value = typeof column === "string" ? sql.ref(column) : column;
  return { asc: sql<number>`coalesce(${value}, 1e300)`, desc: sql<number>`coalesce(${value}, -1e300)` };
}

/** No text comes behind the last code point. */
function texts(column: keyof SessionsTable | Expression<string>): Sorted {
  const value = typeof column === "string" ? sql.ref(column) : column;
  return { asc: sql<string>`coalesce(${value}, '\u{10FFFF}')`, desc: sql<string>`coalesce(${value}, '')` };
}

/** Agents by the names that a list shows. */
function agents(): Sorted {
  const names = Object.values(PROFILES).map(
    ({ id, label }) => sql`when ${sql.lit(id)} then ${sql.lit(sortText(label))}`,
  );
  return texts(sql<string>`case agent ${sql.join(names, sql` `)} else agent end`);
}

type SortKey = keyof typeof SORT_KEYS;

interface Sort {
  readonly by: Expression<string | number>;
  readonly order: "asc" | "desc";
}

/** One page of the list, its rows as JSON. */
export interface RowsPage {
  readonly ids: readonly string[];
  readonly rows: readonly string[];
  readonly nextCursor: string | null;
}

/** One page of the sessions that match, in order. Rejects with `HttpError` on an unknown sort or a cursor that this server did not make. */
export async function pageOf(database: IndexDatabase, listed: Listed, query: ListQuery): Promise<RowsPage> {
  const { by, order } = parseSort(query.sort);
  let places = database.query
    .selectFrom("sessions")
    .select(["id", sql<string | number>`${by}`.as("place")])
    .where(matching(database, listed, query))
    .orderBy(by, order)
    .orderBy("id", order)
    .limit(query.limit + 1);
  if (query.cursor !== undefined) {
    const [value, id] = parseCursor(query.cursor);
    const sign = sql.raw(order === "asc" ? ">" : "<");
    places = places.where(sql<boolean>`(${by}, id) ${sign} (${value}, ${id})`);
  }
  // What is sorted are places alone: a row is long.
  const found = await database.query
    .selectFrom(places.as("places"))
    .innerJoin("session_rows", "session_rows.id", "places.id")
    .select(["places.id", "place", "row"])
    .orderBy("place", order)
    .orderBy("places.id", order)
    .execute();
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  return {
    ids: page.map(({ id }) => id),
    rows: page.map(({ row }) => row),
    nextCursor: last !== undefined && found.length > page.length ? toCursor([last.place, last.id]) : null,
  };
}

/** How many sessions match, and their bytes. */
export async function countOf(
  database: IndexDatabase,
  listed: Listed,
  query: ListQuery,
): Promise<{ total: number; bytes: number }> {
  const counted = await database.query
    .selectFrom("sessions")
    .select(({ fn }) => [fn.countAll<number>().as("total"), fn.sum<number | null>("bytes").as("bytes")])
    .where(matching(database, listed, query))
    .executeTakeFirst();
  return { total: counted?.total ?? 0, bytes: counted?.bytes ?? 0 };
}

/** Whether there is a session of these sources that is no sample. */
export async function hasOwn({ query }: IndexDatabase, sources: readonly string[]): Promise<boolean> {
  const own = await query
    .selectFrom("sessions")
    .select("id")
    .where("sample", "=", 0)
    .where("gone", "=", 0)
    .where("source", "in", sources)
    .limit(1)
    .execute();
  return own.length > 0;
}

function parseSort(text: string): Sort {
  const key = text.replace(/^-/, "");
  if (!isSortKey(key)) throw new HttpError(400, `Unknown sort; known: ${Object.keys(SORT_KEYS).join(", ")}.`);
  const order = text.startsWith("-") ? "desc" : "asc";
  const by: Sorted | Expression<string | number> = SORT_KEYS[key];
  return { by: "asc" in by ? by[order] : by, order };
}

function isSortKey(key: string): key is SortKey {
  return Object.hasOwn(SORT_KEYS, key);
}

/** A row's place in the order: its value, and its id among equals. */
const cursor = z.tuple([z.union([z.string(), z.number()]), z.string()]);
type Place = z.infer<typeof cursor>;

function toCursor(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

function parseCursor(text: string): Place {
  try {
    return cursor.parse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
  } catch {
    // Whatever is wrong with it, it is not one of ours.
    throw new HttpError(400, "The cursor is not one that this server gave.");
  }
}
