import { createHash } from "node:crypto";
import { sql } from "kysely";
import { type AskedSessions, MOST_ASKED } from "@/lib/api/contract";
import { type CatalogEntry, entryKey } from "../catalog/entries";
import { type Listed, type ListFilter, matching } from "../catalog/list-filter";
import type { IndexDatabase } from "../database/database";

/** A session that a question is put to, as the index knows it. */
export interface AskedSession {
  readonly id: string;
  readonly project: string | null;
  readonly agent: string | null;
}

/** The sessions that a question is put to: those that were read and have requests of their own. */
export interface Selected {
  readonly matched: number;
  /** No more than `MOST_ASKED`, those that ended last, in the order of their ids. */
  readonly sessions: readonly AskedSession[];
}

/** Which sessions of the list are asked. Rejects with `HttpError` for a condition that says nothing. @param ids some of them; without it all that match */
export async function selected(
  database: IndexDatabase,
  listed: Listed,
  filter: ListFilter,
  ids: readonly string[] | undefined,
): Promise<Selected> {
  const found = await database.query
    .selectFrom("sessions")
    .select(["id", "project", "agent"])
    .where(matching(database, listed, filter))
    .where("state", "=", "read")
    .where("copy", "=", 0)
    .where("requests", ">", 0)
    .$if(ids !== undefined, (all) => all.where("id", "in", ids?.length ? ids : [""]))
    .orderBy(sql`ended`, "desc")
    .orderBy("id")
    .execute();
  const sessions = found.slice(0, MOST_ASKED).sort((a, b) => (a.id < b.id ? -1 : 1));
  return { matched: found.length, sessions };
}

/** What an answer says of the sessions that it is about. @param unread files that are not read */
export function askedOf({ matched }: Selected, entries: readonly CatalogEntry[], unread: number): AskedSessions {
  const hash = createHash("sha256");
  for (const entry of entries) hash.update(`${entryKey(entry)}\n`);
  return { matched, ids: entries.map(({ id }) => id), digest: hash.digest("base64url").slice(0, 16), unread };
}
