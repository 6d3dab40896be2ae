import { z } from "zod";
import { PROFILES } from "@/lib/agents/registry";
import { RefusedError } from "../base/refusal";
import type { IndexDatabase } from "../store/database/database";
import { type IndexColumns, modelsIn, type NumberName, type Places, type TextName } from "./index/index-columns";
import { projectSortText, sortText } from "./index/sort-text";
import { listFilter } from "./list-filter";
import { compareText } from "./relations/relations";

/** Query of `GET /api/sessions`. */
export const listQuery = listFilter.extend({
  sort: z.string().max(30).default("-modified"),
  cursor: z.string().max(4000).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type ListQuery = z.infer<typeof listQuery>;

/** The sort value; `null` if unknown. */
type ValueAt = (place: number) => string | number | null;

/** Sort keys of a list; a leading `-` sorts descending. Unknown values come last in both directions. */
const SORT_KEYS = {
  modified: numbers("modified"),
  title:
    ({ titles }) =>
    (place) =>
      titles[place] ?? null,
  bytes: numbers("bytes"),
  started: numbers("started"),
  when: numbers("ended"),
  project: texts("project", projectSortText),
  // By the names in the list.
  agent: texts("agent", (agent) => sortText(LABELS.get(agent) ?? agent)),
  // By the first model.
  model: texts("models", (models) => sortText(modelsIn(models)[0] ?? "")),
  // Without recorded usage no request was counted.
  requests: (columns) => (place) => columns.number("requests")[place] || null,
  compactions: numbers("compactions"),
  peak: numbers("peak"),
  peakShare: numbers("peak_share"),
  sent: numbers("all_sent"),
  cost: numbers("cost"),
  notRead: numbers("damaged"),
} as const satisfies Record<string, (columns: IndexColumns) => ValueAt>;

const LABELS: ReadonlyMap<string, string> = new Map(Object.values(PROFILES).map(({ id, label }) => [id, label]));

function numbers(name: NumberName) {
  return (columns: IndexColumns): ValueAt => {
    const column = columns.number(name);
    return (place) => {
      const value = column[place] ?? Number.NaN;
      return Number.isNaN(value) ? null : value;
    };
  };
}

function texts(name: TextName, change: (value: string) => string) {
  return (columns: IndexColumns): ValueAt => {
    const { codes, values } = columns.text(name);
    const changed = values.map((value) => (value === null ? null : change(value)));
    return (place) => changed[codes[place] ?? 0] ?? null;
  };
}

type SortKey = keyof typeof SORT_KEYS;

interface Sort {
  readonly valueAt: (columns: IndexColumns) => ValueAt;
  readonly sign: 1 | -1;
}

/** One page of the list, its rows as JSON. */
interface RowsPage {
  readonly ids: readonly string[];
  readonly rows: readonly string[];
  readonly nextCursor: string | null;
}

/**
 * One page of the sessions at these places, in order. Rejects with `RefusedError` on an unknown sort or an invalid cursor.
 * @param places of sessions, as `matching` found them just before
 */
export async function pageOf(
  database: IndexDatabase,
  columns: IndexColumns,
  places: Places,
  query: Pick<ListQuery, "sort" | "cursor" | "limit">,
): Promise<RowsPage> {
  const { valueAt, sign } = parseSort(query.sort);
  const value = valueAt(columns);
  const at = (place: number): Position => [value(place), columns.ids[place] ?? ""];
  const compare = (a: Position, b: Position) => compared(a, b, sign);
  const after = query.cursor === undefined ? undefined : parseCursor(query.cursor);
  const first = firstOf(places, query.limit + 1, at, compare, after);
  const page = first.slice(0, query.limit);
  const last = page.at(-1);
  const ids = page.map(([, id]) => id);
  const found = await database.query
    .selectFrom("sessions")
    .select(["id", "row"])
    .where("id", "in", [...ids, ""])
    .execute();
  const rows = new Map(found.map(({ id, row }) => [id, row]));
  return {
    ids,
    rows: ids.flatMap((id) => rows.get(id) ?? []), // A session may have been removed meanwhile.
    nextCursor: last !== undefined && first.length > page.length ? toCursor(last) : null,
  };
}

/** The first positions after one of them, in order; the places themselves are not sorted, since most are on no page. */
function firstOf(
  places: Places,
  most: number,
  at: (place: number) => Position,
  compare: (a: Position, b: Position) => number,
  after: Position | undefined,
): readonly Position[] {
  const first: Position[] = [];
  for (const place of places) {
    const position = at(place);
    if (after !== undefined && compare(position, after) <= 0) continue;
    const last = first[most - 1];
    if (last !== undefined && compare(position, last) >= 0) continue;
    if (last !== undefined) first.pop();
    first.splice(indexIn(first, position, compare), 0, position);
  }
  return first;
}

/** The insertion point of a position in sorted positions. */
function indexIn(first: readonly Position[], position: Position, compare: (a: Position, b: Position) => number) {
  let [low, high] = [0, first.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = first[middle];
    if (other !== undefined && compare(other, position) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compared([a, aId]: Position, [b, bId]: Position, sign: 1 | -1): number {
  if (a === b) return sign * compareText(aId, bId);
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -sign : sign;
}

/** Number of these sessions, and their bytes. */
export function countOf(columns: IndexColumns, places: Places): { total: number; bytes: number } {
  const bytes = columns.number("bytes");
  return { total: places.length, bytes: places.reduce((sum, place) => sum + (bytes[place] ?? 0), 0) };
}

function parseSort(text: string): Sort {
  const key = text.replace(/^-/, "");
  if (!isSortKey(key))
    throw new RefusedError("malformed", `Unknown sort; known: ${Object.keys(SORT_KEYS).join(", ")}.`);
  return { valueAt: SORT_KEYS[key], sign: text.startsWith("-") ? -1 : 1 };
}

function isSortKey(key: string): key is SortKey {
  return Object.hasOwn(SORT_KEYS, key);
}

/** A row's sort position: its value, then its id. */
const cursor = z.tuple([z.union([z.string(), z.number(), z.null()]), z.string()]);
type Position = z.infer<typeof cursor>;

function toCursor(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

function parseCursor(text: string): Position {
  try {
    return cursor.parse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
  } catch {
    throw new RefusedError("malformed", "The cursor is not one that this server gave.");
  }
}
