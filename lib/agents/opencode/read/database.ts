import { isObject, type JsonObject, jsonOf, parsedOr } from "../../json";
import type { Placed } from "../../places";
import { numberField, type Query, type SessionDatabase, textField } from "../../session-database";

/**
 * opencode's database: a row for each session, message and part, whose `data` is what the export has without the ids. Source: README.md, "The database".
 */
export const opencodeDatabase: SessionDatabase = {
  tables: ["session", "message", "part", "project"],
  *sessions(query, only) {
    for (const row of only === undefined ? query(sessionsWhere("", "")) : query(ONE_SESSION, only)) {
      const id = textField(row, "id");
      const title = textField(row, "title");
      if (id === undefined) continue;
      const changedAt = Math.max(
        ...["updated", "message_updated", "part_updated"].map((field) => numberField(row, field)),
      );
      const bytes = numberField(row, "message_bytes") + numberField(row, "part_bytes");
      yield { id, bytes, changedAt, ...(title === undefined ? {} : { title }), placed: placedOf(row, id) };
    }
  },
  *lines(query, id) {
    for (const row of query(SESSION, id)) yield jsonOf({ info: infoOf(row, id) });
    for (const message of query(MESSAGES, id)) yield* messageLines(query, message, id);
  },
};

/** The sizes of rows are in their headers, so that no text is read for them. */
function sessionsWhere(session: string, row: string): string {
  const written = (table: string) => `
    (select session_id, max(time_updated) as updated, sum(octet_length(data)) as bytes from ${table} ${row} group by session_id) as ${table}s
    on ${table}s.session_id = session.id`;
  return `
    select session.id, title, directory, parent_id, time_created as created, time_updated as updated,
      messages.updated as message_updated, messages.bytes as message_bytes, parts.updated as part_updated, parts.bytes as part_bytes
    from session left join ${written("message")} left join ${written("part")} ${session}`;
}
const ONE_SESSION = sessionsWhere("where session.id = ?1", "where session_id = ?1");
const SESSION = `
  select slug, project_id, directory, parent_id, title, version, revert, time_created as created, time_updated as updated from session where id = ?`;
const MESSAGES = "select id, data from message where session_id = ? order by time_created, id";
const PARTS = "select id, data from part where message_id = ? order by id";

function placedOf(row: Readonly<Record<string, unknown>>, sessionId: string): Placed {
  const [project, parentSession] = [textField(row, "directory"), textField(row, "parent_id")];
  return {
    sessionId,
    startedAt: numberField(row, "created"),
    ...(project === undefined ? {} : { project }),
    ...(parentSession === undefined ? {} : { parentSession }),
  };
}

/** The session as the export has it. */
function infoOf(row: Readonly<Record<string, unknown>>, id: string): JsonObject {
  const revert = parsedOr(textField(row, "revert") ?? "null");
  return {
    id,
    slug: textField(row, "slug"),
    projectID: textField(row, "project_id"),
    directory: textField(row, "directory"),
    parentID: textField(row, "parent_id"),
    title: textField(row, "title"),
    version: textField(row, "version"),
    ...(isObject(revert) ? { revert } : {}),
    time: { created: numberField(row, "created"), updated: numberField(row, "updated") },
  };
}

/** A message with its parts; data that is no object is a line of its own, which counts as damaged. */
function* messageLines(query: Query, row: Readonly<Record<string, unknown>>, sessionID: string): Iterable<string> {
  const id = textField(row, "id") ?? "";
  const parts: JsonObject[] = [];
  for (const part of query(PARTS, id)) {
    const data = parsedOr(textField(part, "data") ?? "");
    if (isObject(data)) parts.push({ ...data, id: textField(part, "id"), sessionID, messageID: id });
    else yield jsonOf(data);
  }
  const data = parsedOr(textField(row, "data") ?? "");
  yield isObject(data) ? jsonOf({ info: { ...data, id, sessionID }, parts }) : jsonOf(data);
}
