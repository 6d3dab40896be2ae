import { isObject, type JsonObject, jsonOf, parsedOr } from "@/lib/agents/shared/json";
import type { Listed } from "@/lib/agents/shared/places";
import { numberField, type Query, type SessionDatabase, textField } from "@/lib/agents/shared/session-database";
import { listedSessions } from "../report/places";

/**
 * OpenClaw's database of an agent: a window for each session, and an event for each line that the session's file would have. The conversation's node
 * holds its fields of `sessions.json`. Source: README.md, "The database".
 */
export const openClawDatabase: SessionDatabase = {
  tables: [["session_nodes", "session_windows", "transcript_events"]],
  *sessions(query, only) {
    const listed = only === undefined ? listedIn(query) : NOTHING;
    for (const row of only === undefined ? query(sessionsWhere("")) : query(ONE_SESSION, only)) {
      const id = textField(row, "session_id");
      if (id === undefined) continue;
      const { title, parentSession } = listed.get(id) ?? {};
      yield {
        id,
        bytes: numberField(row, "bytes"),
        changedAt: Math.max(numberField(row, "updated_at"), numberField(row, "written_at")),
        ...(title === undefined ? {} : { title }),
        placed: {
          sessionId: id,
          startedAt: numberField(row, "created_at"),
          ...(parentSession === undefined ? {} : { parentSession }),
        },
      };
    }
  },
  *lines(query, id) {
    for (const row of query(EVENTS, id)) yield (textField(row, "event_json") ?? "").replace(/[\r\n]+/g, " ");
  },
};

/** A window without an event is an empty conversation. */
function sessionsWhere(event: string): string {
  return `
    select session_windows.session_id, session_windows.created_at, session_windows.updated_at, events.written_at, events.bytes
    from session_windows join
      (select session_id, max(created_at) as written_at, sum(octet_length(event_json) + 1) as bytes from transcript_events ${event} group by session_id) as events
      on events.session_id = session_windows.session_id`;
}
const ONE_SESSION = sessionsWhere("where session_id = ?1");
const NODES = "select session_key, current_session_id, entry_json from session_nodes";
const NOTHING: ReadonlyMap<string, Listed> = new Map();
const EVENTS = "select event_json from transcript_events where session_id = ? order by seq";

/** Listed facts of the nodes' present sessions, as in `sessions.json`. */
function listedIn(query: Query): ReadonlyMap<string, Listed> {
  const entries: [string, JsonObject][] = [];
  for (const row of query(NODES)) {
    const [key, sessionId] = [textField(row, "session_key"), textField(row, "current_session_id")];
    const entry = parsedOr(textField(row, "entry_json") ?? "");
    if (key === undefined || sessionId === undefined || !isObject(entry)) continue;
    entries.push([key, { ...entry, sessionId, sessionFile: sessionId }]);
  }
  return listedSessions(jsonOf(Object.fromEntries(entries)));
}
