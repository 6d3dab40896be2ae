import { isObject, type JsonObject, jsonOf, objectOf, objectsOf, parsedOr, textOf } from "@/lib/agents/shared/json";
import type { Placed } from "@/lib/agents/shared/places";
import { numberField, type Query, type SessionDatabase, textField } from "@/lib/agents/shared/session-database";

/**
 * opencode's database: a row for each session, message and part, whose `data` is the export's object without the ids. Version 2 writes to its own
 * tables and keeps the earlier ones. A session in both is read from the new tables, after its older messages. Source: README.md, "The database".
 */
export const opencodeDatabase: SessionDatabase = {
  tables: [
    ["session", "message", "part", "project"],
    ["session_v2", "session_message"],
  ],
  *sessions(query, only) {
    const tables = tablesIn(query);
    const listed = new Set<string>();
    for (const sessions of SESSION_TABLES.filter((name) => tables.has(name))) {
      const ids = only === undefined ? [] : [only];
      for (const row of query(sessionsOf(sessions, tables, only !== undefined), ...ids)) {
        const id = textField(row, "id");
        if (id === undefined || listed.has(id)) continue;
        listed.add(id);
        const title = textField(row, "title");
        const written = MESSAGE_TABLES.filter((name) => tables.has(name));
        const times = ["updated", ...written.map((name) => `${name}_updated`)].map((field) => numberField(row, field));
        const bytes = written.reduce((sum, name) => sum + numberField(row, `${name}_bytes`), 0);
        const changedAt = Math.max(...times);
        yield { id, bytes, changedAt, ...(title === undefined ? {} : { title }), placed: placedOf(row, id) };
      }
    }
  },
  *lines(query, id) {
    const tables = tablesIn(query);
    const sessions = SESSION_TABLES.filter((name) => tables.has(name)).flatMap((name) =>
      [...query(sessionIn(name), id)].map((row) => ({ name, row })),
    );
    const [session] = sessions;
    if (session === undefined) return;
    // A version that takes over a session may rewrite its row; its messages are still originals.
    const created = Math.min(...sessions.map(({ row }) => numberField(row, "created")));
    const fork = textField(session.row, "fork_session_id");
    const forkedFrom = fork !== undefined ? [fork] : tables.has("message") ? makersOf(query, id) : [];
    yield jsonOf({ info: { ...infoOf({ ...session.row, created }, id), forkedFrom } });
    const current = tables.has("session_message") ? () => query(CURRENT_MESSAGES, id) : NO_ROWS;
    const earlier = tables.has("message") ? () => query(MESSAGES, id) : NO_ROWS;
    const isCurrent = session.name === "session_v2";
    const first = isCurrent ? firstOf(current()) : undefined;
    let hasEarlier = false;
    for (const message of earlier()) {
      // Messages that were copied into the current table.
      if (first !== undefined && numberField(message, "time_created") >= first) break;
      hasEarlier = true;
      yield* messageLines(query, message, id);
    }
    if (isCurrent || !hasEarlier) for (const row of current()) yield* currentLines(row, id);
  },
};

/** The tables of sessions; the first one with the session counts. */
const SESSION_TABLES = ["session_v2", "session"] as const;
const MESSAGE_TABLES = ["message", "part", "session_message"] as const;
const NO_ROWS = () => [];

function tablesIn(query: Query): ReadonlySet<string> {
  return new Set(
    Array.from(query("select name from sqlite_schema where type = 'table'"), (row) => textField(row, "name") ?? ""),
  );
}

/** Time of the first message of a session. */
function firstOf(rows: Iterable<Readonly<Record<string, unknown>>>): number | undefined {
  let first: number | undefined;
  for (const row of rows) first = Math.min(first ?? Number.POSITIVE_INFINITY, numberField(row, "time_created"));
  return first;
}

/** The sizes of rows are in their headers, so that no text is read for them. */
function sessionsOf(sessions: string, tables: ReadonlySet<string>, isOne: boolean): string {
  const written = MESSAGE_TABLES.filter((name) => tables.has(name));
  const columns = written.map((name) => `, ${name}s.updated as ${name}_updated, ${name}s.bytes as ${name}_bytes`);
  const joined = written.map(
    (name) => `
    left join (select session_id, max(time_updated) as updated, sum(octet_length(data)) as bytes from ${name}
      ${isOne ? "where session_id = ?1" : ""} group by session_id) as ${name}s on ${name}s.session_id = all_sessions.id`,
  );
  return `
    select all_sessions.id, title, directory, parent_id, time_created as created, time_updated as updated ${columns.join("")}
    from ${sessions} as all_sessions ${joined.join("")} ${isOne ? "where all_sessions.id = ?1" : ""}`;
}
const sessionIn = (table: string) =>
  `select *, time_created as created, time_updated as updated from ${table} where id = ?`;
const MESSAGES = "select id, time_created, data from message where session_id = ? order by time_created, id";
const PARTS = "select id, data from part where message_id = ? order by id";
const CURRENT_MESSAGES = "select * from session_message where session_id = ? order by time_created, id";

function placedOf(row: Readonly<Record<string, unknown>>, sessionId: string): Placed {
  const [project, parentSession] = [textField(row, "directory"), textField(row, "parent_id")];
  return {
    sessionId,
    startedAt: numberField(row, "created"),
    ...(project === undefined ? {} : { project }),
    ...(parentSession === undefined ? {} : { parentSession }),
  };
}

/** A response older than its session is a copy. It keeps time and tokens, but has a new id, and a new id of its prompt. */
const MAKERS = `
  select distinct made.session_id as id from message as copy
  join message as made on made.time_created = copy.time_created and made.session_id <> copy.session_id
  join session on session.id = made.session_id and session.time_created <= made.time_created
  where copy.session_id = ?1 and copy.time_created < (select time_created from session where id = ?1)
    and json_valid(made.data) and json_valid(copy.data) and json_extract(copy.data, '$.role') = 'assistant'
    and json_extract(made.data, '$.tokens') = json_extract(copy.data, '$.tokens')`;
const COPIES = `
  select 1 from message where session_id = ?1 and time_created < (select time_created from session where id = ?1) limit 1`;

/** The sessions that made a fork's copied responses: version 1 does not name them. */
function makersOf(query: Query, id: string): readonly string[] {
  // Only a fork's search goes through the messages of all sessions.
  if ([...query(COPIES, id)].length === 0) return [];
  return [...query(MAKERS, id)].flatMap((row) => textField(row, "id") ?? []);
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

/** A message with its parts; data that is not an object becomes a separate line, which counts as damaged. */
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

/** A message of version 2; data that is not an object becomes a separate line, which counts as damaged. */
function* currentLines(row: Readonly<Record<string, unknown>>, sessionID: string): Iterable<string> {
  const data = parsedOr(textField(row, "data") ?? "");
  const [id, type] = [textField(row, "id") ?? "", textField(row, "type") ?? ""];
  if (!isObject(data)) yield jsonOf(data);
  else for (const message of exportedMessages({ id, type, sessionID, data })) yield jsonOf(message);
}

/** A row of `session_message`. */
interface CurrentMessage {
  readonly id: string;
  readonly type: string;
  readonly sessionID: string;
  readonly data: JsonObject;
}

/** Record types that are not sent to the model: choices of the user, and ends of turns. */
const NOT_SENT = new Set(["agent-switched", "model-switched", "location-switched", "idle"]);

/** A message of version 2 as messages of an export; none if it is not sent. Source: README.md, "The database". */
function exportedMessages(message: CurrentMessage): readonly JsonObject[] {
  const { id, type, data } = message;
  const info = { id, sessionID: message.sessionID, time: objectOf(data.time) };
  const user = (parts: readonly JsonObject[]) => [{ info: { ...info, role: "user" }, parts: numbered(id, parts) }];
  switch (type) {
    case "user":
      return user([{ type: "text", text: textOf(data.text) }, ...objectsOf(data.files).map(filePart)]);
    case "synthetic":
    case "system":
      return user([{ type: "text", text: textOf(data.text), synthetic: true }]);
    case "shell": {
      const text = `Shell command: ${textOf(data.command)}\n\n${textOf(data.output)}`;
      return user([{ type: "text", text, synthetic: true }]);
    }
    case "assistant":
      return [{ info: { ...info, ...answerOf(data) }, parts: numbered(id, objectsOf(data.content).map(answerPart)) }];
    case "compaction": {
      const auto = data.reason === "auto" ? { auto: true } : data.reason === "manual" ? { auto: false } : {};
      const texts = [data.summary, data.recent].map(textOf).filter((text) => text !== "");
      const answer = { ...info, ...answerOf(data), id: `${id}.summary`, parentID: id, summary: true, finish: "stop" };
      const parts = texts.map((text) => ({ type: "text", text }));
      return [...user([{ type: "compaction", ...auto }]), { info: answer, parts: numbered(answer.id, parts) }];
    }
    default:
      return NOT_SENT.has(type) ? [] : [{ info: { ...info, role: type }, parts: [] }];
  }
}

/** Gives parts ids, which those of version 2 do not have. */
function numbered(message: string, parts: readonly JsonObject[]): readonly JsonObject[] {
  return parts.map((part, at) => ({ ...part, id: `${message}.${at}`, messageID: message }));
}

function answerOf({ agent, model, tokens, cost, finish, error }: JsonObject): JsonObject {
  const { id, providerID, variant } = objectOf(model);
  return { role: "assistant", agent, modelID: id, providerID, variant, tokens, cost, finish, error };
}

function answerPart(part: JsonObject): JsonObject {
  return part.type === "tool"
    ? { type: "tool", callID: part.id, tool: part.name, state: stateOf(part) }
    : { ...part, metadata: part.metadata ?? part.providerMetadata };
}

/** The state of a call; its result is a list of texts and files. */
function stateOf({ state, time }: JsonObject): JsonObject {
  const { status, input, content, error, output, attachments, metadata } = objectOf(state);
  const results = objectsOf(content);
  const texts = results.filter((one) => one.type === "text").map((one) => textOf(one.text));
  const files = [...results.filter((one) => one.type === "file"), ...objectsOf(attachments)];
  const { pruned } = objectOf(time);
  return {
    status,
    input,
    output: texts.length === 0 ? textOf(output) : texts.join("\n"),
    error: isObject(error) ? textOf(error.message) : textOf(error),
    attachments: files.map(filePart),
    metadata: { sessionId: objectOf(metadata).sessionID },
    time: pruned === undefined ? {} : { compacted: pruned },
  };
}

function filePart({ mime, name, filename, uri, url, data }: JsonObject): JsonObject {
  return { type: "file", mime, filename: filename ?? name, url: url ?? uri ?? data };
}
