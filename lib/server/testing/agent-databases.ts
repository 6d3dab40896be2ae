import Database from "libsql";
import { isObject, type JsonObject, objectOf, objectsOf, textOf } from "@/lib/agents/shared/json";

/** A SQLite database that stays open, as an agent keeps it. */
export type OwnDatabase = InstanceType<typeof Database>;

/** Settings of both agents, under which readers and a writer do not block each other. */
const LOG = "pragma journal_mode = wal";

/** opencode's tables, as far as sessions need them. Source: lib/agents/opencode/README.md, "The database". */
const OPENCODE = `
  create table project (id text primary key, worktree text not null);
  create table session (id text primary key, project_id text not null, parent_id text, slug text not null, directory text not null, title text not null,
    version text not null, revert text, time_created integer not null, time_updated integer not null);
  create table message (id text primary key, session_id text not null, time_created integer not null, time_updated integer not null, data text not null);
  create table part (id text primary key, message_id text not null, session_id text not null, time_created integer not null,
    time_updated integer not null, data text not null);
  create index message_session_time_created_id_idx on message (session_id, time_created, id);
  create index part_message_id_id_idx on part (message_id, id);
  create index part_session_idx on part (session_id);`;

/** Tables of opencode's version 2, as far as sessions need them. */
const OPENCODE_CURRENT = `
  create table session_v2 (id text primary key, project_id text not null, parent_id text, fork_session_id text, slug text not null,
    directory text not null, title text, version text not null, revert text, time_created integer not null, time_updated integer not null);
  create table session_message (id text primary key, session_id text not null, type text not null, seq integer not null,
    time_created integer not null, time_updated integer not null, data text not null);`;

/** OpenClaw's tables, as far as sessions need them. Source: lib/agents/openclaw/README.md, "The database". */
const OPENCLAW = `
  create table session_nodes (session_key text not null primary key, current_session_id text not null, entry_json text not null,
    updated_at integer not null) strict;
  create table session_windows (session_id text not null primary key, session_key text not null, created_at integer not null,
    updated_at integer not null) strict;
  create table transcript_events (session_id text not null, seq integer not null, event_json text not null, created_at integer not null,
    primary key (session_id, seq)) strict;`;

/** Crush's tables, as far as sessions need them. Source: lib/agents/crush/README.md, "The database". */
const CRUSH = `
  create table sessions (id text primary key, parent_session_id text, title text not null, message_count integer not null default 0,
    prompt_tokens integer not null default 0, completion_tokens integer not null default 0, cost real not null default 0.0,
    updated_at integer not null, created_at integer not null, summary_message_id text, todos text);
  create table messages (id text primary key, session_id text not null, role text not null, parts text not null default '[]', model text,
    created_at integer not null, updated_at integer not null, finished_at integer, provider text, is_summary_message integer default 0 not null);`;

/** Hermes Agent's tables, as far as sessions need them. Source: lib/agents/hermes/README.md, "The database". */
const HERMES = `
  create table sessions (id text primary key, source text not null, model text, system_prompt text, parent_session_id text, started_at real not null,
    ended_at real, end_reason text, message_count integer default 0, input_tokens integer default 0, output_tokens integer default 0,
    cache_read_tokens integer default 0, reasoning_tokens integer default 0, cwd text, git_branch text, title text);
  create table messages (id integer primary key autoincrement, session_id text not null, role text not null, content text, tool_call_id text,
    tool_calls text, tool_name text, timestamp real not null, finish_reason text, reasoning text, reasoning_content text,
    active integer not null default 1, compacted integer not null default 0);`;

/** Goose's tables, as far as sessions need them. Source: lib/agents/goose/README.md, "The database". */
const GOOSE = `
  create table sessions (id text primary key, name text not null default '', description text not null default '', user_set_name boolean default false,
    session_type text not null default 'user', working_dir text not null, created_at timestamp default current_timestamp,
    updated_at timestamp default current_timestamp, extension_data text default '{}', total_tokens integer, input_tokens integer, output_tokens integer,
    accumulated_total_tokens integer, accumulated_input_tokens integer, accumulated_output_tokens integer, recipe_json text, provider_name text,
    model_config_json text, goose_mode text not null default 'auto', parent_session_id text);
  create table messages (id integer primary key autoincrement, message_id text, session_id text not null, role text not null, content_json text not null,
    created_timestamp integer not null, timestamp timestamp default current_timestamp, tokens integer, metadata_json text);
  create table usage_ledger (id integer primary key autoincrement, session_id text not null, created_timestamp integer not null, model text,
    input_tokens integer, output_tokens integer, total_tokens integer, cache_read_tokens integer, cache_write_tokens integer, cost real, cost_source text,
    is_compaction integer default 0);`;

export function newGooseDatabase(path: string): OwnDatabase {
  const database = new Database(path);
  database.exec(LOG);
  database.exec(GOOSE);
  return database;
}

export function newHermesDatabase(path: string): OwnDatabase {
  const database = new Database(path);
  database.exec(LOG);
  database.exec(HERMES);
  return database;
}

export function newCrushDatabase(path: string): OwnDatabase {
  const database = new Database(path);
  database.exec(LOG);
  database.exec(CRUSH);
  return database;
}

/** Puts a record into a table as a row: lists and objects as JSON, truth values as 0 and 1. */
export function putRow(database: OwnDatabase, table: string, record: JsonObject): void {
  const stored = (value: unknown) =>
    typeof value === "boolean" ? Number(value) : typeof value === "object" ? JSON.stringify(value) : value;
  insert(database, table, Object.fromEntries(Object.entries(record).map(([name, value]) => [name, stored(value)])));
}

export function newOpencodeDatabase(path: string, journal = LOG): OwnDatabase {
  const database = new Database(path);
  database.exec(journal);
  database.exec(OPENCODE);
  return database;
}

/** Adds the tables of version 2, as an upgrade does. */
export function upgradeOpencode(database: OwnDatabase): void {
  database.exec(OPENCODE_CURRENT);
}

/** Puts a session of version 2 into the tables, with messages as `[type, time, data]`. */
export function putCurrent(
  database: OwnDatabase,
  id: string,
  title: string,
  messages: readonly (readonly [type: string, at: number, data: JsonObject])[],
): void {
  const times = { time_created: messages[0]?.[1] ?? 1, time_updated: messages.at(-1)?.[1] ?? 1 };
  insert(database, "session_v2", {
    id,
    project_id: "p",
    slug: id,
    directory: "/home/ada",
    title,
    version: "2.0.8",
    ...times,
  });
  for (const [seq, [type, at, data]] of messages.entries()) {
    const row = { id: `msg_${id}_${seq}`, session_id: id, type, seq, time_created: at, time_updated: at };
    insert(database, "session_message", {
      ...row,
      data: JSON.stringify({ ...data, time: { created: at, completed: at } }),
    });
  }
}

export function newOpenClawDatabase(path: string): OwnDatabase {
  const database = new Database(path);
  database.exec(LOG);
  database.exec(OPENCLAW);
  return database;
}

/** Stores an export's session in the tables as opencode does; a message's data is everything except its ids. */
export function putExport(database: OwnDatabase, { info, messages }: JsonObject, later = 0): string {
  const { id, projectID, parentID, slug, directory, title, version, revert, time } = objectOf(info);
  const { created, updated } = objectOf(time);
  insert(database, "session", {
    id,
    project_id: projectID ?? "",
    parent_id: parentID ?? null,
    slug: slug ?? "",
    directory: directory ?? "",
    title: title ?? "",
    version: version ?? "",
    revert: revert === undefined ? null : JSON.stringify(revert),
    time_created: created ?? 0,
    time_updated: Number(updated ?? 0) + later,
  });
  for (const message of objectsOf(messages)) putMessage(database, textOf(id), message);
  return textOf(id);
}

export function putMessage(database: OwnDatabase, session: string, message: JsonObject): void {
  const { id, sessionID: _, ...data } = objectOf(message.info);
  const { created = 0 } = objectOf(data.time);
  const times = { time_created: created, time_updated: created };
  insert(database, "message", { id, session_id: session, ...times, data: JSON.stringify(data) });
  for (const part of objectsOf(message.parts)) {
    const { id: partId, sessionID: _session, messageID: _message, ...rest } = part;
    insert(database, "part", {
      id: partId,
      message_id: id,
      session_id: session,
      ...times,
      data: JSON.stringify(rest),
    });
  }
}

/** Stores the lines of a session's file in the tables as OpenClaw does. */
export function putLines(database: OwnDatabase, lines: readonly string[], entry: JsonObject = {}): string {
  const header: unknown = JSON.parse(lines[0] ?? "");
  const id = isObject(header) ? textOf(header.id) : "";
  const key = `agent:main:${id}`;
  const [created, updated] = [1_770_000_000_000, 1_770_000_100_000];
  const node = { session_key: key, current_session_id: id, entry_json: JSON.stringify(entry), updated_at: updated };
  insert(database, "session_nodes", node);
  insert(database, "session_windows", { session_id: id, session_key: key, created_at: created, updated_at: updated });
  for (const [seq, line] of lines.entries()) {
    insert(database, "transcript_events", { session_id: id, seq, event_json: line, created_at: created + seq });
  }
  return id;
}

function insert(database: OwnDatabase, table: string, row: JsonObject): void {
  const names = Object.keys(row);
  const sql = `insert into ${table} (${names.join()}) values (${names.map(() => "?").join()})`;
  database.prepare(sql).run(Object.values(row));
}
