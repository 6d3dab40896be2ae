import { isObject, type JsonObject, objectOf, objectsOf, textOf } from "@/lib/agents/shared/json";

/**
 * Signature of another program's files, so that a file that is not read is named, and never mistaken for another agent's. A row is checked against
 * the program's source or against files that it wrote; if neither was available, the row says so.
 */
export interface Signature {
  /** The program that writes such files, under its own name. */
  readonly program: string;
  /** Kind of file, after the program's name: "session", "wire file". */
  readonly kind: string;
  /** True for a record that only this program writes. */
  readonly record?: (record: JsonObject) => boolean;
  /** Beginning of a file that is not JSON. */
  readonly text?: RegExp;
  /** Names of tables or columns that must all be in the schema of a SQLite file. */
  readonly schema?: readonly string[];
  /** Names of files within a zip file. One match is enough. */
  readonly zipped?: readonly string[];
  /** True if it is read from the agent's own folder, though not as a file by itself. */
  readonly readInPlace?: true;
}

const is = (value: unknown, ...words: readonly string[]): boolean => words.includes(textOf(value));
const has = (record: JsonObject, ...keys: readonly string[]): boolean => keys.every((key) => key in record);
const some = (list: unknown, test: (entry: JsonObject) => boolean): boolean => objectsOf(list).some(test);

/** Programs in the order in which they are tried. */
export const KNOWN_SIGNATURES: readonly Signature[] = [
  {
    program: "OpenClaw",
    kind: "trajectory", // openclaw/openclaw, src/trajectory/types.ts; the session lies beside it
    record: ({ traceSchema }) => textOf(traceSchema).startsWith("openclaw-trajectory"),
  },
  {
    program: "GitHub Copilot CLI",
    kind: "event log", // github/copilot-sdk, session events
    record: ({ type, id, data }) => typeof id === "string" && isObject(data) && COPILOT_EVENT.test(textOf(type)),
  },
  {
    program: "VS Code Copilot Chat",
    kind: "session", // kenn-io/agentsview, internal/parser/vscode_copilot.go; lines begin with the whole session, then changes follow
    record: (record) => isVsCodeChat(record) || (record.kind === 0 && isVsCodeChat(objectOf(record.v))),
  },
  {
    program: "Visual Studio Copilot",
    kind: "trace file (OpenTelemetry)", // kenn-io/agentsview, internal/parser/visualstudio_copilot.go; other programs write OTLP, too
    record: ({ resourceSpans }) => Array.isArray(resourceSpans),
  },
  {
    program: "Cline, Roo Code or Kilo Code",
    kind: "task", // RooCodeInc/Roo-Code, packages/types/src/message.ts: `ui_messages.json`
    record: (record) =>
      typeof record.ts === "number" && ["ask", "say"].some((key) => record.type === key && key in record),
  },
  {
    program: "Kimi CLI",
    kind: "wire file", // MoonshotAI/kimi-cli, src/kimi_cli/wire/types.py; Kimi Code's records as kenn-io/agentsview reads them
    record: ({ type, message, timestamp, ...rest }) =>
      (is(type, "metadata") && "protocol_version" in rest) ||
      KIMI_CODE.test(textOf(type)) ||
      (typeof timestamp === "number" && KIMI_MESSAGE.test(textOf(objectOf(message).type))),
  },
  {
    program: "Kimi CLI",
    kind: "context file", // MoonshotAI/kimi-cli, src/kimi_cli/soul/context.py
    record: ({ role }) => is(role, "_checkpoint", "_usage", "_system_prompt"),
  },
  {
    program: "Hermes Agent",
    kind: "session", // NousResearch/hermes-agent, as kenn-io/agentsview reads it
    record: (record) => is(record.role, "session_meta") || has(record, "session_start", "platform", "messages"),
  },
  { program: "Hermes Agent", kind: "database", schema: ["sessions", "messages", "end_reason", "reasoning_tokens"] },
  {
    program: "Goose",
    kind: "session", // block/goose, crates/goose/src/conversation/message.rs; the header as older releases write it
    record: (record) =>
      has(record, "working_dir", "message_count") ||
      (typeof record.created === "number" &&
        some(record.content, ({ type }) => is(type, "toolRequest", "toolResponse"))),
  },
  { program: "Goose", kind: "database", schema: ["sessions", "messages", "content_json", "accumulated_total_tokens"] },
  { program: "Crush", kind: "database", schema: ["sessions", "messages", "summary_message_id"] }, // charmbracelet/crush, internal/db/migrations
  {
    program: "OpenHands",
    kind: "event or trajectory", // All-Hands-AI/software-agent-sdk, openhands/sdk/event; before: OpenHands, openhands/events
    record: (record) =>
      "source" in record && (OPENHANDS_EVENT.test(textOf(record.kind)) || isOldOpenHandsEvent(record)),
  },
  {
    program: "mini-swe-agent",
    kind: "trajectory", // SWE-agent/mini-swe-agent, src/minisweagent/run/utils/save.py
    record: ({ trajectory_format }) => textOf(trajectory_format).startsWith("mini-swe-agent"),
  },
  {
    program: "SWE-agent",
    kind: "trajectory", // SWE-agent/SWE-agent, sweagent/agent/agents.py, `get_trajectory_data`
    record: ({ trajectory, history, info }) => Array.isArray(trajectory) && Array.isArray(history) && isObject(info),
  },
  {
    program: "Inspect",
    kind: "log", // UKGovernmentBEIS/inspect_ai, src/inspect_ai/log/_log.py; `.eval` files are zip files
    record: (record) =>
      typeof record.version === "number" && is(record.status, ...INSPECT_STATUS) && isObject(record.eval),
    zipped: ["_journal/start.json", "header.json"],
  },
  {
    program: "Mistral Vibe",
    kind: "session", // kenn-io/agentsview, internal/parser/testdata/vibe
    record: (record) =>
      (typeof record.role === "string" && typeof record.message_id === "string" && !("type" in record)) ||
      (has(record, "session_id", "start_time") && "session_prompt_tokens" in objectOf(record.stats)),
  },
  {
    program: "Factory Droid",
    kind: "session", // records as github.com viewers describe them (ovachiever/agent-sessions); like pi's, but with the API's content blocks
    record: (record) =>
      (is(record.type, "session_start") && "id" in record && ["title", "owner", "cwd"].some((key) => key in record)) ||
      (is(record.type, "message") &&
        !("timestamp" in objectOf(record.message)) &&
        some(objectOf(record.message).content, ({ type }) => is(type, "tool_use", "tool_result"))) ||
      has(record, "assistantActiveTimeMs", "tokenUsage"),
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
    program: "Kiro",
    kind: "session", // kenn-io/agentsview, internal/parser/kiro.go, kiro_ide.go and kiro_sqlite.go
    record: (record) =>
      (is(record.kind, "Prompt", "AssistantMessage", "ToolResults") && isObject(record.data)) ||
      (has(record, "executionId", "actionId") && Array.isArray(record.chat)) ||
      some(record.history, (entry) => "promptLogs" in entry) ||
      (has(record, "conversation_id") &&
        some(record.history, ({ user, assistant }) => isObject(user) && isObject(assistant))),
  },
  { program: "Kiro", kind: "database", schema: ["conversations_v2"] },
  {
    program: "Continue",
    kind: "session", // continuedev/continue, core/index.d.ts, `Session`
    record: (record) =>
      typeof record.sessionId === "string" && some(record.history, (entry) => has(entry, "message", "contextItems")),
  },
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
    kind: "captured stream", // cursor.com/docs/cli/reference/output-format
    record: (record) => is(record.type, "tool_call") && has(record, "session_id", "call_id", "tool_call"),
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
    kind: "captured stream", // ampcode.com/manual, "Streaming JSON": Claude Code's form, with ids of threads
    record: ({ session_id }) => /^T-[0-9a-f]{8}-/.test(textOf(session_id)),
  },
  {
    program: "Qwen Code",
    kind: "captured stream", // QwenLM/qwen-code, docs on headless mode: Claude Code's form, with its own version
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
  { program: "opencode", kind: "database", schema: ["session", "message", "part"], readInPlace: true },
  { program: "Zed", kind: "database", schema: ["threads", "data_type"] }, // zed-industries/zed, crates/agent/src/db.rs
  { program: "VS Code", kind: "state database", schema: ["ItemTable"] },
];

const COPILOT_EVENT =
  /^(?:session\.\w+|user\.message|assistant\.(?:message|turn_start|reasoning)|tool\.execution_\w+)$/;
const KIMI_CODE =
  /^(?:config\.update|turn\.prompt|context\.append_\w+|usage\.record|llm\.request|token_counting\.\w+)$/;
const KIMI_MESSAGE =
  /^(?:TurnBegin|TurnEnd|StepBegin|StepInterrupted|ContentPart|ToolCall|ToolResult|StatusUpdate|Compaction(?:Begin|End))$/;
const OPENHANDS_EVENT =
  /^(?:\w*(?:Message|Action|Observation|SystemPrompt|Pause|Error|ConversationStateUpdate)Event|Condensation(?:Request)?)$/;
const INSPECT_STATUS = ["started", "success", "cancelled", "error"];
const CODEBUDDY_TYPES = ["message", "function_call", "function_call_result", "topic", "reasoning"];

function isVsCodeChat(record: JsonObject): boolean {
  return Array.isArray(record.requests) && typeof record.sessionId === "string";
}

function isOldOpenHandsEvent({ id, action, observation, timestamp, message }: JsonObject): boolean {
  return (
    typeof id === "number" &&
    typeof timestamp === "string" &&
    "string" === typeof (action ?? observation) &&
    typeof message === "string"
  );
}

/** The program whose records are among a file's first ones; `undefined` if none is known. */
export function signatureOf(head: readonly JsonObject[]): Signature | undefined {
  return KNOWN_SIGNATURES.find(({ record }) => record !== undefined && head.some(record));
}

const SQLITE = "SQLite format 3\0";
const ZIP = "PK\u0003\u0004";
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
  if (beginning.startsWith(ZIP)) {
    return KNOWN_SIGNATURES.find(({ zipped }) => zipped?.some((name) => beginning.includes(name)) === true);
  }
  return KNOWN_SIGNATURES.find(({ text }) => text?.test(beginning) === true);
}

/** The tables of a SQLite file that its beginning names; empty for any other file. */
export function tablesOf(beginning: string): readonly string[] {
  if (!beginning.startsWith(SQLITE)) return [];
  return [...new Set([...beginning.matchAll(TABLE)].map(([, name]) => name ?? ""))];
}

/** A sentence that names the program and kind of a file. */
export function sentenceOf({ program, kind, readInPlace }: Signature, name: string): string {
  const article = /^[aeiou]/i.test(program) ? "an" : "a";
  const rest = readInPlace === true ? `it is read where ${program} keeps it, or as an export` : "it is not read yet";
  return `${name} is ${article} ${program} ${kind}; ${rest}.`;
}
