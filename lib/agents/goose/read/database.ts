import { jsonOf, timeOf } from "@/lib/agents/shared/json";
import {
  numberField,
  type Query,
  recordOfRow,
  type SessionDatabase,
  textField,
} from "@/lib/agents/shared/session-database";

/**
 * Goose's database: a row for each session, each message, and each paid request. Rows of messages are read as the records of the session files that
 * Goose wrote before. Source: README.md, "The database".
 */
export const gooseDatabase: SessionDatabase = {
  tables: [["sessions.accumulated_total_tokens", "messages.content_json"]],
  *sessions(query, only) {
    const flags = columnsOf(query, "messages").has("metadata_json") ? "coalesce(octet_length(metadata_json), 0)" : "0";
    const rows = only === undefined ? query(sessionsWhere(flags, "")) : query(sessionsWhere(flags, ONE), only);
    for (const row of rows) {
      const id = textField(row, "id");
      if (id === undefined) continue;
      const title = textField(row, "name") ?? textField(row, "description");
      const [project, parentSession] = [textField(row, "working_dir"), parentOf(row)];
      yield {
        id,
        bytes: numberField(row, "bytes"),
        changedAt: Math.max(timeOf(row.updated) ?? 0, timeOf(row.written_at) ?? 0),
        ...(title === undefined ? {} : { title }),
        placed: {
          sessionId: id,
          startedAt: timeOf(row.created) ?? 0,
          ...(project === undefined ? {} : { project }),
          ...(parentSession === undefined ? {} : { parentSession }),
        },
      };
    }
  },
  *lines(query, id) {
    for (const row of query("select *, unixepoch(created_at) as created from sessions where id = ?", id)) {
      const { extension_data, recipe_json, user_recipe_values_json, ...session } = recordOfRow(row, [
        "model_config_json",
      ]);
      yield jsonOf({ goose: "session", ...session });
    }
    // Goose compares times first, but the parts of one answer have equal times; only the order of writing distinguishes them.
    for (const row of query("select * from messages where session_id = ? order by id", id)) {
      const { message_id, role, content_json, created_timestamp, metadata_json } = recordOfRow(row, [
        "content_json",
        "metadata_json",
      ]);
      yield jsonOf({
        goose: "message",
        id: message_id,
        role,
        created: created_timestamp,
        content: content_json,
        metadata: metadata_json,
      });
    }
    if (!columnsOf(query, "usage_ledger").has("is_compaction")) return;
    for (const row of query("select * from usage_ledger where session_id = ? and is_compaction = 1 order by id", id)) {
      const { created_timestamp, model, ...counts } = recordOfRow(row, []);
      yield jsonOf({ goose: "usage", created: created_timestamp, model, usage: usageOf(counts) });
    }
  },
};

/** The counts of a paid request under the names that a message's usage has. */
function usageOf(counts: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return {
    inputTokens: counts.input_tokens,
    outputTokens: counts.output_tokens,
    totalTokens: counts.total_tokens,
    cacheReadTokens: counts.cache_read_tokens,
    cacheWriteTokens: counts.cache_write_tokens,
    cost: counts.cost,
    costSource: counts.cost_source,
  };
}

/** A subagent's session names the session that started it. */
function parentOf(row: Readonly<Record<string, unknown>>): string | undefined {
  return row.session_type === "sub_agent" ? textField(row, "parent_session_id") : undefined;
}

function columnsOf(query: Query, table: string): ReadonlySet<unknown> {
  return new Set(Array.from(query(`select name from pragma_table_info('${table}')`), ({ name }) => name));
}

const ONE = "where session_id = ?1";

/** A session without messages is not listed. A change of a message's flags changes its size. */
function sessionsWhere(flags: string, message: string): string {
  return `
    select sessions.*, unixepoch(created_at) as created, unixepoch(updated_at) as updated, written.written_at, written.bytes
    from sessions join
      (select session_id, max(created_timestamp) as written_at, sum(octet_length(content_json) + ${flags}) as bytes
        from messages ${message} group by session_id) as written
      on written.session_id = sessions.id`;
}
