import { jsonOf } from "@/lib/agents/shared/json";
import { numberField, recordOfRow, type SessionDatabase, textField } from "@/lib/agents/shared/session-database";

/** Crush's database: a row for each session and each message. Times are Unix seconds. Source: README.md, "The database". */
export const crushDatabase: SessionDatabase = {
  tables: [["sessions.summary_message_id", "messages.parts"]],
  *sessions(query, only) {
    for (const row of only === undefined ? query(sessionsWhere("")) : query(sessionsWhere(ONE), only)) {
      const id = textField(row, "id");
      if (id === undefined) continue;
      const [title, parentSession] = [textField(row, "title"), textField(row, "parent_session_id")];
      yield {
        id,
        bytes: numberField(row, "bytes"),
        changedAt: Math.max(numberField(row, "updated_at"), numberField(row, "written_at")) * 1000,
        ...(title === undefined ? {} : { title }),
        placed: {
          sessionId: id,
          startedAt: numberField(row, "created_at") * 1000,
          ...(parentSession === undefined ? {} : { parentSession }),
        },
      };
    }
  },
  *lines(query, id) {
    let summary: unknown;
    for (const row of query("select * from sessions where id = ?", id)) {
      summary = row.summary_message_id;
      yield jsonOf({ crush: "session", ...recordOfRow(row, ["todos"]) });
    }
    // Several messages may have the same second: the order in which they were written decides.
    for (const row of query("select * from messages where session_id = ? order by created_at, rowid", id)) {
      // Until August 2025 only the session names its summary, the last one.
      const isSummary = row.is_summary_message === 1 || (row.id === summary && row.is_summary_message === undefined);
      yield jsonOf({ crush: "message", ...recordOfRow(row, ["parts"]), is_summary_message: isSummary });
    }
  },
};

const ONE = "where session_id = ?1";

/** A session without messages is not listed: it only titled another one. */
function sessionsWhere(message: string): string {
  return `
    select sessions.id, title, parent_session_id, created_at, updated_at, written.written_at, written.bytes
    from sessions join
      (select session_id, max(updated_at) as written_at, sum(octet_length(parts)) as bytes from messages ${message} group by session_id) as written
      on written.session_id = sessions.id`;
}
