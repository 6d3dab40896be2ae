import { type Expression, sql } from "kysely";
import { z } from "zod";
import type { IndexDatabase } from "../database/database";
import { HttpError } from "../http/http-error";
import { type Listed, listFilter, matching } from "./list-filter";

/** Query of `GET /api/sessions`. */
export const listQuery = listFilter.extend({
  sort: z.string().max(30).default("-modified"),
  cursor: z.string().max(4000).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type ListQuery = z.infer<typeof listQuery>;

/** What a list may be sorted by; a `-` before it means descending. What is not known counts as less than anything. */
const SORT_KEYS = {
  modified: sql<number>`modified`,
  started: sql<number>`coalesce(started, -1e15)`,
  title: sql<string>`title`,
  project: sql<string>`project_name`,
  agent: sql<string>`coalesce(agent, '')`,
  bytes: sql<number>`bytes`,
  requests: sql<number>`coalesce(requests, -1)`,
  compactions: sql<number>`coalesce(compactions, -1)`,
  peak: sql<number>`coalesce(peak, -1)`,
  cost: sql<number>`coalesce(cost, -1)`,
} as const satisfies Record<string, Expression<string | number>>;

/** What is not known comes last in either direction: it is not little. */
const COST_UPWARDS = sql<number>`coalesce(cost, 1e15)`;

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
  let rows = database.query
    .selectFrom("sessions")
    .innerJoin("session_rows", "session_rows.id", "sessions.id")
    .select(["sessions.id", "session_rows.row", sql<string | number>`${by}`.as("place")])
    .where(matching(database, listed, query))
    .orderBy(by, order)
    .orderBy("sessions.id", order)
    .limit(query.limit + 1);
  if (query.cursor !== undefined) {
    const [value, id] = parseCursor(query.cursor);
    const sign = sql.raw(order === "asc" ? ">" : "<");
    rows = rows.where(sql<boolean>`(${by}, sessions.id) ${sign} (${value}, ${id})`);
  }
  const found = await rows.execute();
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
  return { by: key === "cost" && order === "asc" ? COST_UPWARDS : SORT_KEYS[key], order };
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
