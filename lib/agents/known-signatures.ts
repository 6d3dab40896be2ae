import { isObject, type JsonObject, objectOf, objectsOf, textOf } from "@/lib/agents/shared/json";
import { isOldEvent, isSdkEvent } from "@/lib/agents/shared/openhands-event";

/**
 * Signature of another program's files. It names a file that cannot be read, and prevents mistaking it for another agent's. A row is checked against
 * the program's source or against files that it wrote; if neither was available, the row says so.
 */
export interface Signature {
  /** The program that writes such files, under its own name. */
  readonly program: string;
  /** Kind of file, after the program's name: "session", "wire file". */
  readonly kind: string;
  /** True for a record that only this program writes. */
  readonly record?: (record: JsonObject) => boolean;
  /** True if the signature holds only for files with that one record. */
  readonly alone?: true;
  /** Beginning of a file that is not JSON. */
  readonly text?: RegExp;
  /** Names of tables or columns that must all be in the schema of a SQLite file. */
  readonly schema?: readonly string[];
  /** True if the file is read from the agent's own folder, but not as a single file. */
  readonly readInPlace?: true;
  /** True if the program's exports are read, too. */
  readonly exports?: true;
  /** The file that is read instead, and the way to get it. */
  readonly instead?: string;
}

const is = (value: unknown, ...words: readonly string[]): boolean => words.includes(textOf(value));
const has = (record: JsonObject, ...keys: readonly string[]): boolean => keys.every((key) => key in record);
const some = (list: unknown, test: (entry: JsonObject) => boolean): boolean => objectsOf(list).some(test);

/** Programs in the order in which they are tried. */
export const KNOWN_SIGNATURES: readonly Signature[] = [
  {
    program: "OpenClaw",
    kind: "trajectory", // openclaw/openclaw, src/trajectory/types.ts; the session file is next to it
    record: ({ traceSchema }) => textOf(traceSchema).startsWith("openclaw-trajectory"),
  },
  {
    program: "VS Code Copilot Chat",
    kind: "session", // kenn-io/agentsview, internal/parser/vscode_copilot.go; lines begin with the whole session, then changes follow
    record: (record) => isVsCodeChat(record) || (record.kind === 0 && isVsCodeChat(objectOf(record.v))),
  },
  {
    program: "Cline, Roo Code or Kilo Code",
    kind: "task", // RooCodeInc/Roo-Code, packages/types/src/message.ts: `ui_messages.json`
    record: (record) =>
      typeof record.ts === "number" && ["ask", "say"].some((key) => record.type === key && key in record),
    instead: "its requests are read with `api_conversation_history.json` beside it",
  },
  {
    program: "Cline, Roo Code or Kilo Code",
    kind: "metadata file of a task", // cline/cline, apps/vscode/src/core/context/context-tracking/ContextTrackerTypes.ts
    record: (record) => Array.isArray(record.files_in_context),
    instead: "the session is `api_conversation_history.json` beside it",
  },
  {
    program: "Claude Code",
    kind: "history of prompts", // `history.jsonl`, as readers of it describe its lines
    record: (record) => has(record, "display", "pastedContents", "project"),
    instead: "the sessions are in the folder `projects` beside it",
  },
  {
    program: "Codex",
    kind: "history of prompts", // openai/codex, codex-rs/core/src/message_history.rs
    record: (record) =>
      has(record, "session_id", "text") && typeof record.ts === "number" && Object.keys(record).length === 3,
    instead: "the sessions are in the folder `sessions` beside it",
  },
  {
    program: "Gemini CLI or Qwen Code",
    kind: "log of prompts", // google-gemini/gemini-cli, packages/core/src/core/logger.ts
    record: (record) =>
      has(record, "sessionId", "message", "timestamp") &&
      typeof record.messageId === "number" &&
      is(record.type, "user"),
    instead: "the sessions are in a folder `chats`",
  },
  {
    program: "opencode",
    kind: "single message or part", // sst/opencode, packages/opencode/src/session/message-v2.ts: a file of earlier releases
    record: ({ id, sessionID }) => /^(?:msg|prt)_/.test(textOf(id)) && /^ses_/.test(textOf(sessionID)),
    instead: "a session is read as an export (`opencode export`), or from the database of later releases",
  },
  {
    program: "Kimi Code",
    kind: "wire file", // as kenn-io/agentsview reads it; the wire files of Kimi CLI, its predecessor, are read
    record: ({ type }) => KIMI_CODE.test(textOf(type)),
  },
  {
    program: "Kimi CLI",
    kind: "context file", // MoonshotAI/kimi-cli, src/kimi_cli/soul/context.py
    record: ({ role }) => is(role, "_checkpoint", "_usage", "_system_prompt"),
  },
  {
    program: "Hermes Agent",
    kind: "session", // NousResearch/hermes-agent, as kenn-io/agentsview reads it
    record: (record) => has(record, "session_start", "platform", "messages"), // the document of its command line
  },
  {
    program: "Hermes Agent",
    kind: "database",
    schema: ["sessions", "messages", "end_reason", "reasoning_tokens"],
    readInPlace: true,
  },
  {
    program: "Goose",
    kind: "export of a session", // aaif-goose/goose, crates/goose/src/session/session_manager.rs, `export_session`
    record: (record) => has(record, "working_dir", "conversation"),
  },
  {
    program: "Goose",
    kind: "database",
    schema: ["sessions", "messages", "content_json", "accumulated_total_tokens"],
    readInPlace: true,
  },
  {
    program: "Crush",
    kind: "database", // charmbracelet/crush, internal/db/migrations
    schema: ["sessions", "messages", "summary_message_id"],
    readInPlace: true,
  },
  {
    program: "OpenHands",
    kind: "single event", // one of the files that make up a conversation
    record: (record) => isSdkEvent(record) || isOldEvent(record),
    alone: true,
    instead:
      'a conversation is read as one file with an event a line, as `for f in events/*.json; do cat "$f"; echo; done` prints it',
  },
  {
    program: "Inspect",
    kind: "log", // UKGovernmentBEIS/inspect_ai, src/inspect_ai/log/_log.py: a log without samples
    record: (record) =>
      typeof record.version === "number" && is(record.status, ...INSPECT_STATUS) && isObject(record.eval),
  },
  {
    program: "Mistral Vibe",
    kind: "metadata file", // mistralai/mistral-vibe, vibe/core/session/session_logger.py: `meta.json` next to a session
    record: (record) => has(record, "session_id", "start_time") && "session_prompt_tokens" in objectOf(record.stats),
    instead: "the session is `messages.jsonl` beside it",
  },
  {
    program: "Factory Droid",
    kind: "settings file of a session", // next to a session; keys as named in the SDK's schema
    record: (record) => has(record, "assistantActiveTimeMs", "tokenUsage"),
    instead: "the session is the file beside it without `.settings`",
  },
  {
    program: "iFlow",
    kind: "session", // kenn-io/agentsview, internal/parser/testdata/iflow: Claude Code's records under ids that Claude Code does not make
    record: ({ sessionId, isSidechain, message }) =>
      typeof isSidechain === "boolean" &&
      (/^session-[0-9a-f]{8}-[0-9a-f]{4}-/.test(textOf(sessionId)) ||
        /^response-\d{13}/.test(textOf(objectOf(message).id))),
  },
  {
    program: "TRAE",
    kind: "session", // kenn-io/agentsview, internal/parser/testdata/traex: a fork of Codex that names its own provider
    record: ({ type, payload }) =>
      is(type, "session_meta", "turn_context") && is(objectOf(payload).model_provider, "trae"),
  },
  {
    program: "TRAE Agent",
    kind: "trajectory", // bytedance/trae-agent, trae_agent/utils/trajectory_recorder.py
    record: (record) => has(record, "llm_interactions", "agent_steps"),
  },
  {
    program: "Kiro",
    kind: "session", // kenn-io/agentsview, internal/parser/kiro.go, kiro_ide.go and kiro_sqlite.go
    record: (record) =>
      (is(record.kind, "Prompt", "AssistantMessage", "ToolResults") && isObject(record.data)) ||
      (has(record, "executionId", "actionId") && Array.isArray(record.chat)) ||
      some(record.history, (entry) => "promptLogs" in entry && !("contextItems" in entry)) ||
      (has(record, "conversation_id") &&
        some(record.history, ({ user, assistant }) => isObject(user) && isObject(assistant))),
  },
  { program: "Kiro", kind: "database", schema: ["conversations_v2"] },
  {
    program: "Cursor",
    kind: "transcript", // kenn-io/agentsview, internal/parser/cursor.go
    record: (record) =>
      is(record.role, "user", "assistant") &&
      isObject(record.message) &&
      "content" in record.message &&
      !("type" in record),
  },
  {
    program: "Cursor",
    kind: "captured stream", // cursor.com/docs/cli/reference/output-format; Claude Code's first record also lists tools
    record: (record) =>
      (is(record.type, "tool_call") && has(record, "session_id", "call_id", "tool_call")) ||
      (is(record.subtype, "init") &&
        has(record, "session_id", "apiKeySource", "permissionMode") &&
        !("tools" in record)),
  },
  { program: "Cursor", kind: "database", schema: ["cursorDiskKV"] },
  { program: "Cursor", kind: "database", schema: ["blobs", "meta"] }, // `store.db` of a chat
  {
    program: "Grok",
    kind: "session", // kenn-io/agentsview, internal/parser/testdata/grok-build
    record: (record) =>
      (is(record.type, "user") && ("prompt_index" in record || "synthetic_reason" in record)) ||
      (is(record.type ?? record.role, "assistant") && "model_id" in record) ||
      "sessionUpdate" in objectOf(objectOf(record.params).update),
  },
  {
    program: "Antigravity",
    kind: "trajectory", // kenn-io/agentsview, internal/parser/antigravity_cli.go
    record: (record) =>
      has(record, "trajectoryId", "cascadeId") || has(record, "conversationId", "display", "workspace"),
  },
  { program: "Antigravity", kind: "database", schema: ["steps", "gen_metadata"] },
  {
    program: "CodeBuddy",
    kind: "session", // its records as readers of `~/.codebuddy/projects` describe them: the Responses API's items with a session each
    record: ({ type, sessionId, ...rest }) =>
      typeof sessionId === "string" &&
      is(type, ...CODEBUDDY_TYPES) &&
      !("uuid" in rest) &&
      !("message" in rest) &&
      "id" in rest,
  },
  { program: "Aider", kind: "log of requests", text: /^\s*TO LLM \d{4}-\d\d-\d\dT/ }, // the same file, `log_llm_history`
  { program: "Aider", kind: "chat history", text: /^\s*# aider chat started at / }, // Aider-AI/aider, aider/io.py
  {
    program: "gptme",
    kind: "conversation", // gptme/gptme, gptme/message.py
    record: (record) =>
      typeof record.role === "string" &&
      typeof record.timestamp === "string" &&
      ("pinned" in record || "hide" in record || "cache_creation_tokens" in objectOf(objectOf(record.metadata).usage)),
  },
  {
    program: "Amp",
    kind: "captured stream", // ampcode.com/manual, "Streaming JSON": Claude Code's format, with ids of threads
    record: ({ session_id }) => /^T-[0-9a-f]{8}-/.test(textOf(session_id)),
  },
  {
    program: "Amp",
    kind: "thread", // kenn-io/agentsview, internal/parser/amp.go
    record: (record) => /^T-[0-9a-f]{8}-/.test(textOf(record.id)) && Array.isArray(record.messages),
  },
  {
    program: "Qwen Code",
    kind: "captured stream", // QwenLM/qwen-code, docs on headless mode: Claude Code's format, with its own version
    record: (record) => has(record, "session_id", "qwen_code_version"),
  },
  {
    program: "Factory Droid",
    kind: "captured stream", // docs.factory.ai, `droid exec --output-format stream-json`
    record: (record) =>
      (is(record.type, "message") && has(record, "role", "text", "session_id")) ||
      (is(record.type, "completion") && "finalText" in record),
  },
  {
    program: "Gemini CLI",
    kind: "captured stream", // google-gemini/gemini-cli, packages/core/src/output/types.ts
    record: (record) => is(record.type, "init") && has(record, "session_id", "model", "timestamp"),
  },
  {
    program: "opencode",
    kind: "database",
    schema: ["session", "message", "part"],
    readInPlace: true,
    exports: true,
  },
  { program: "Zed", kind: "database", schema: ["threads", "data_type"] }, // zed-industries/zed, crates/agent/src/db.rs
  { program: "VS Code", kind: "state database", schema: ["ItemTable"] },
];

const KIMI_CODE =
  /^(?:config\.update|turn\.prompt|context\.append_\w+|usage\.record|llm\.request|token_counting\.\w+)$/;
const INSPECT_STATUS = ["started", "success", "cancelled", "error"];
const CODEBUDDY_TYPES = ["message", "function_call", "function_call_result", "topic", "reasoning"];

function isVsCodeChat(record: JsonObject): boolean {
  return Array.isArray(record.requests) && typeof record.sessionId === "string";
}

/** The program whose records are among a file's first ones; `undefined` if none is known. */
export function signatureOf(head: readonly JsonObject[]): Signature | undefined {
  const isOne = head.length === 1;
  return KNOWN_SIGNATURES.find(
    ({ record, alone }) => (isOne || alone !== true) && record !== undefined && head.some(record),
  );
}

const SQLITE = "SQLite format 3\0";
const TABLE = /CREATE (?:VIRTUAL )?TABLE (?:IF NOT EXISTS )?["'`[]?(\w{1,64})/gi;

/** The program that wrote a file without records. @param beginning its first bytes, one character each */
export function signatureOfContent(beginning: string): Signature | undefined {
  if (beginning.startsWith(SQLITE)) {
    const words = new Set(beginning.match(/\w{1,64}/g));
    const tables = new Set(tablesOf(beginning));
    // The first name is a table's; later ones may be a column's.
    return KNOWN_SIGNATURES.find(
      ({ schema }) => schema !== undefined && tables.has(schema[0] ?? "") && schema.every((name) => words.has(name)),
    );
  }
  return KNOWN_SIGNATURES.find(({ text }) => text?.test(beginning) === true);
}

/** The tables of a SQLite file that its beginning names; empty for any other file. */
export function tablesOf(beginning: string): readonly string[] {
  if (!beginning.startsWith(SQLITE)) return [];
  return [...new Set([...beginning.matchAll(TABLE)].map(([, name]) => name ?? ""))];
}

/** A sentence that names the program and kind of a file. */
export function sentenceOf({ program, kind, readInPlace, exports, instead }: Signature, name: string): string {
  const article = /^[aeiou]/i.test(program) ? "an" : "a";
  const place = `it is read where ${program} keeps it${exports === true ? ", or as an export" : ""}`;
  const rest = instead ?? (readInPlace === true ? place : "it is not read yet");
  return `${name} is ${article} ${program} ${kind}; ${rest}.`;
}
