import { jsonOf } from "@/lib/agents/shared/json";
import {
  numberField,
  type Query,
  recordOfRow,
  type SessionDatabase,
  textField,
} from "@/lib/agents/shared/session-database";

/**
 * Hermes Agent's database: a row for each session and each message. A session that a compaction ended is read as the beginning of the session that
 * continues it. Times are Unix seconds. Source: README.md, "The database".
 */
export const hermesDatabase: SessionDatabase = {
  tables: [["sessions.end_reason", "sessions.reasoning_tokens", "messages.tool_call_id"]],
  *sessions(query, only) {
    for (const row of only === undefined
      ? query(sessionsWhere("true"))
      : query(sessionsWhere("sessions.id = ?1"), only)) {
      const id = textField(row, "id");
      if (id === undefined) continue;
      const [title, parentSession] = [textField(row, "title"), textField(row, "parent")];
      const times = ["started_at", "ended_at", "written_at"].map((field) => numberField(row, field));
      yield {
        id,
        bytes: numberField(row, "bytes"),
        changedAt: Math.round(Math.max(...times) * 1000),
        ...(title === undefined ? {} : { title }),
        placed: {
          sessionId: id,
          startedAt: Math.round(numberField(row, "started_at") * 1000),
          ...(parentSession === undefined ? {} : { parentSession }),
        },
      };
    }
  },
  *lines(query, id) {
    for (const session of chainOf(query, id)) {
      for (const row of query("select * from sessions where id = ?", session))
        yield jsonOf({ role: "session_meta", ...recordOfRow(row, ["model_config"]) });
      for (const row of query("select * from messages where session_id = ? order by id", session)) {
        const { active, compacted, ...message } = recordOfRow(row, ["tool_calls"]);
        const isTakenBack = active === 0 && compacted !== 1;
        yield jsonOf({ ...message, content: contentOf(message.content), ...(isTakenBack ? { rewound: true } : {}) });
      }
    }
  },
};

/** Consecutive sessions of one conversation, oldest first: a compaction ended each but the last. */
function chainOf(query: Query, id: string): readonly string[] {
  const chain = [id];
  for (let earlier = parentOf(query, id); earlier !== undefined && !chain.includes(earlier); ) {
    chain.unshift(earlier);
    earlier = parentOf(query, earlier);
  }
  return chain;
}

/** The session that a compaction ended before this one began. */
function parentOf(query: Query, id: string): string | undefined {
  const [row] = query(
    `select parents.id as id from sessions join sessions as parents on parents.id = sessions.parent_session_id
      where sessions.id = ? and parents.end_reason = 'compression' and sessions.started_at >= parents.ended_at`,
    id,
  );
  return row === undefined ? undefined : textField(row, "id");
}

/** Beginning of a content that is a list of parts. */
const PARTS_MARK = "\u0000json:";

/** A list of parts is stored as JSON after a mark; anything else is the text itself. */
function contentOf(content: unknown): unknown {
  if (typeof content !== "string" || !content.startsWith(PARTS_MARK)) return content;
  try {
    return JSON.parse(content.slice(PARTS_MARK.length));
  } catch {
    return content;
  }
}

/**
 * Selects sessions that have messages and are not continued by another session; a parent only for a subagent. A rewind changes only a flag of its
 * messages, so each remaining message counts as one more byte.
 */
function sessionsWhere(condition: string): string {
  return `
    select sessions.id, title, started_at, ended_at, written.written_at, written.bytes,
      (select parents.id from sessions as parents where parents.id = sessions.parent_session_id
        and coalesce(parents.end_reason, '') not in ('branched', 'compression')) as parent
    from sessions join
      (select session_id, max(timestamp) as written_at, sum(coalesce(octet_length(content), 0) + coalesce(octet_length(tool_calls), 0)
        + coalesce(octet_length(reasoning), 0) + active) as bytes from messages group by session_id) as written
      on written.session_id = sessions.id
    where ${condition} and not (coalesce(end_reason, '') = 'compression' and exists (select 1 from sessions as children
      where children.parent_session_id = sessions.id and children.started_at >= sessions.ended_at))`;
}
