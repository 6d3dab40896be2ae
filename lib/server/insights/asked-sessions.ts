import { createHash } from "node:crypto";
import { type AskedSessions, MAX_ASKED } from "@/lib/queries/contract/schemas";
import { type CatalogEntry, entryKey } from "../list/files/entries";
import type { IndexColumns, Places, TextColumn } from "../list/index/index-columns";
import { type Listed, type ListFilter, matching } from "../list/list-filter";
import { compareText } from "../list/relations/relations";

/** A queried session, as the index knows it. */
export interface AskedSession {
  readonly id: string;
  readonly project: string | null;
  readonly agent: string | null;
  /** Number of leading requests that other sessions count. */
  readonly inherited: number;
}

/** The queried sessions: those that were read and have requests of their own. */
export interface Selected {
  readonly matched: number;
  /** At most `MAX_ASKED`, those that ended last, in the order of their ids. */
  readonly sessions: readonly AskedSession[];
}

/** Selects sessions of the list. Rejects with `RefusedError` for an invalid condition. @param ids some of them; default: all matching ones */
export async function selected(
  columns: IndexColumns,
  listed: Listed,
  filter: ListFilter,
  ids: readonly string[] | undefined,
): Promise<Selected> {
  const wanted = ids && new Set(ids);
  const asked = withRequests(columns, await matching(columns, listed, filter)).filter(
    (place) => wanted === undefined || wanted.has(columns.ids[place] ?? ""),
  );
  const [project, agent] = (["project", "agent"] as const).map((name) => textAt(columns.text(name)));
  const sessions = byEndDescending(columns, asked)
    .slice(0, MAX_ASKED)
    .map((place) => ({
      id: columns.ids[place] ?? "",
      project: project?.(place) ?? null,
      agent: agent?.(place) ?? null,
      inherited: columns.number("inherited")[place] || 0,
    }));
  return { matched: asked.length, sessions: sessions.sort((a, b) => compareText(a.id, b.id)) };
}

/** Sessions by their end, the last one first. */
export function byEndDescending(columns: IndexColumns, places: Places): number[] {
  const ended = columns.number("ended");
  const idOf = (place: number) => columns.ids[place] ?? "";
  return [...places].sort((a, b) => (ended[b] ?? 0) - (ended[a] ?? 0) || compareText(idOf(a), idOf(b)));
}

/** Sessions that were read and have requests of their own. */
export function withRequests(columns: IndexColumns, places: Places): Places {
  const [copy, requests] = [columns.number("copy"), columns.number("requests")];
  return places.filter((place) => copy[place] === 0 && (requests[place] ?? 0) > 0);
}

export function textAt({ codes, values }: TextColumn) {
  return (place: number) => values[codes[place] ?? 0] ?? null;
}

/** An answer's facts about its sessions. @param unread number of files that are not read yet */
export function askedOf({ matched }: Selected, entries: readonly CatalogEntry[], unread: number): AskedSessions {
  const hash = createHash("sha256");
  for (const entry of entries) hash.update(`${entryKey(entry)}\n`);
  return { matched, ids: entries.map(({ id }) => id), digest: hash.digest("base64url").slice(0, 16), unread };
}
