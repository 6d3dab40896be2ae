import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "@/lib/agents/shared/json";
import { fixturesOf } from "@/verify/support/conformance";
import { expectedRows } from "@/verify/support/expected";
import { readRecords } from "@/verify/support/read";
import { FORMATS } from "./agents";
import { KNOWN_SIGNATURES, sentenceOf, signatureOf, signatureOfContent, tablesOf } from "./known-signatures";
import { sniffReader } from "./registry";

const message = { role: "user", content: "hi" };
const time = "2026-03-02T10:00:00.000Z";
const claude = {
  uuid: "1",
  parentUuid: null,
  isSidechain: false,
  userType: "external",
  version: "1.0.0",
  type: "user",
};

/** One short file for every row, with the sentence that names it. */
const RECORDS: readonly (readonly [sentence: string, ...records: JsonObject[]])[] = [
  [
    "an OpenClaw trajectory",
    { traceSchema: "openclaw-trajectory", schemaVersion: 1, type: "session.started", ts: time },
  ],
  ["a VS Code Copilot Chat session", { version: 3, sessionId: "s", requests: [], responderUsername: "GitHub Copilot" }],
  ["a VS Code Copilot Chat session", { kind: 0, v: { version: 3, sessionId: "s", requests: [] } }],
  ["a Cline, Roo Code or Kilo Code task", { ts: 1, type: "say", say: "api_req_started", text: "{}" }],
  ["a Cline, Roo Code or Kilo Code metadata file of a task", { files_in_context: [], model_usage: [] }],
  [
    "a Claude Code history of prompts",
    { display: "hi", pastedContents: {}, timestamp: 1, project: "/", sessionId: "s" },
    { display: "go", pastedContents: {}, timestamp: 2, project: "/" },
  ],
  ["a Codex history of prompts", { session_id: "s", ts: 1, text: "hi" }, { session_id: "s", ts: 2, text: "go" }],
  [
    "a Gemini CLI or Qwen Code log of prompts",
    { sessionId: "s", messageId: 0, type: "user", message: "hi", timestamp: time },
    { sessionId: "s", messageId: 1, type: "user", message: "go", timestamp: time },
  ],
  ["an opencode single message or part", { id: "msg_1", role: "user", sessionID: "ses_1", time: { created: 1 } }],
  [
    "an opencode single message or part",
    { id: "prt_1", type: "text", text: "hi", sessionID: "ses_1", messageID: "msg_1" },
  ],
  ["a Kimi Code wire file", { type: "config.update", cwd: "/", modelAlias: "kimi" }],
  ["a Kimi CLI context file", message, { role: "_checkpoint", id: 0 }],
  ["a Hermes Agent session", { session_start: time, platform: "cli", messages: [message] }],
  ["a Goose export of a session", { id: "s", working_dir: "/", total_tokens: 10, conversation: [message] }],
  ["an OpenHands single event", { id: "1", timestamp: time, source: "user", kind: "MessageEvent" }],
  [
    "an OpenHands single event",
    { id: 0, timestamp: time, source: "user", message: "hi", action: "message", args: { content: "hi" } },
  ],
  ["an Inspect log", { version: 2, status: "success", eval: { task: "t" }, samples: [] }],
  ["a Mistral Vibe metadata file", { session_id: "s", start_time: time, stats: { session_prompt_tokens: 5 } }],
  ["a Factory Droid settings file of a session", { assistantActiveTimeMs: 1, model: "m", tokenUsage: {} }],
  ["an iFlow session", { ...claude, sessionId: "session-5de701fc-7454-4858-a249-95cac4fd3b51", message }],
  [
    "an iFlow session",
    { ...claude, type: "assistant", message: { id: "response-1768975012469-chat", role: "assistant", content: [] } },
  ],
  [
    "a TRAE session",
    { timestamp: time, type: "session_meta", payload: { id: "s", cli_version: "0.200.19", model_provider: "trae" } },
  ],
  ["a TRAE Agent trajectory", { task: "t", start_time: time, llm_interactions: [], agent_steps: [], success: true }],
  ["a Kiro session", { version: "v1", kind: "Prompt", data: { message_id: "1", content: [] } }],
  ["a Kiro session", { executionId: "e", actionId: "act", chat: [message], metadata: { workflow: "act" } }],
  ["a Kiro session", { sessionId: "s", history: [{ message, promptLogs: [] }] }],
  ["a Cursor transcript", { role: "user", message: { content: [{ type: "text", text: "hi" }] } }],
  ["a Cursor captured stream", { type: "tool_call", subtype: "started", call_id: "c", tool_call: {}, session_id: "s" }],
  [
    "a Cursor captured stream",
    { type: "system", subtype: "init", apiKeySource: "login", cwd: "/", session_id: "s", permissionMode: "default" },
    { type: "assistant", message: { role: "assistant", content: [] }, session_id: "s" },
  ],
  ["a Grok session", { type: "system", content: "s" }, { type: "user", content: [], prompt_index: 0 }],
  ["a Grok session", { role: "assistant", content: "hi", model_id: "grok-4.5" }],
  ["an Antigravity trajectory", { trajectoryId: "t", cascadeId: "c", steps: [] }],
  ["a CodeBuddy session", { id: "1", timestamp: 1, type: "message", role: "user", content: [], sessionId: "s" }],
  ["a gptme conversation", { ...message, timestamp: time, pinned: true, hide: true }],
  ["an Amp captured stream", { type: "system", subtype: "init", session_id: "T-0a1b2c3d-0000", tools: [] }],
  ["an Amp thread", { v: 1, id: "T-0a1b2c3d-0000", created: 1, messages: [message] }],
  [
    "a Qwen Code captured stream",
    { type: "system", subtype: "init", session_id: "s", tools: [], qwen_code_version: "1" },
  ],
  ["a Factory Droid captured stream", { type: "message", role: "user", id: "1", text: "hi", session_id: "s" }],
  ["a Gemini CLI captured stream", { type: "init", timestamp: time, session_id: "s", model: "gemini-3-pro" }],
];

const sqlite = (...tables: string[]) =>
  `SQLite format 3\0\u0010\0${tables.map((one) => `table CREATE TABLE ${one}`).join("\0")}`;

const CONTENTS: readonly (readonly [sentence: string, content: string])[] = [
  ["a Goose database", sqlite("sessions (id TEXT, accumulated_total_tokens INTEGER)", "messages (content_json TEXT)")],
  ["a Crush database", sqlite("goose_db_version (id)", "sessions (id, summary_message_id)", "messages (parts)")],
  ["a Hermes Agent database", sqlite("sessions (id, end_reason, reasoning_tokens)", "messages (role)")],
  ["a Cursor database", sqlite("ItemTable (key, value)", "cursorDiskKV (key, value)")],
  ["a Cursor database", sqlite("blobs (id, data)", "meta (key, value)")],
  ["a Kiro database", sqlite("conversations_v2 (key, value)")],
  ["an Antigravity database", sqlite("steps (idx)", "gen_metadata (data)")],
  ["an opencode database", sqlite("`session` (id)", "`message` (id)", "`part` (id)")],
  ["a Zed database", sqlite("threads (id, data_type)")],
  ["a VS Code state database", sqlite("ItemTable (key, value)")],
  ["an Aider log of requests", "TO LLM 2026-06-09T14:01:00\n-------\nUSER hi\n"],
  ["an Aider chat history", "\n# aider chat started at 2026-06-09 14:01:00\n\n#### add a retry\n"],
];

test.each(RECORDS.map(([sentence, ...records]) => ({ sentence, records })))(
  "$sentence is named, and no reader recognises it",
  ({ sentence, records }) => {
    const found = signatureOf(records);
    expect(found && sentenceOf(found, "x")).toBe(`x is ${sentence}; ${found?.instead ?? "it is not read yet"}.`);
    expect(sniffReader(records)).toBeUndefined();
  },
);

test.each(CONTENTS)("%s is named although it holds no records", (sentence, content) => {
  const found = signatureOfContent(content);
  expect(found && sentenceOf(found, "x")).toContain(`x is ${sentence}; it is `);
});

test("every known signature has an input in this test", () => {
  const named = [...RECORDS, ...CONTENTS].map(([sentence]) => sentence.replace(/^an? /, ""));
  const missing = KNOWN_SIGNATURES.map(({ program, kind }) => `${program} ${kind}`).filter(
    (one) => !named.includes(one),
  );
  expect(missing).toEqual([]);
});

test("the tables of an unknown database are listed", () => {
  const content = sqlite("a (id)", 'IF NOT EXISTS "b" (id)');
  expect(signatureOfContent(content)).toBeUndefined();
  expect(tablesOf(content)).toEqual(["a", "b"]);
});

test("no fixture of a readable format is recognised as another program's", () => {
  const taken = FORMATS.flatMap(({ id }) => {
    const folder = path.join(import.meta.dirname, id, "fixtures");
    return fixturesOf(folder).flatMap((file) => {
      const found = signatureOf(readRecords(readFileSync(path.join(folder, file))).map(({ value }) => value));
      return found === undefined ? [] : [`${id} ${file}: ${found.program}`];
    });
  });
  expect(taken).toEqual([]);
});

const recordings = FORMATS.flatMap(({ id }) => expectedRows(id).map((row) => ({ format: id, ...row })));
test.skipIf(recordings.length === 0)("no recording is recognised as another program's", () => {
  const wrong = recordings.flatMap(({ format, path: file }) => {
    const head = readRecords(readFileSync(file)).slice(0, 2000);
    const found = sniffReader(head.map(({ value }) => value))?.format;
    return found === format ? [] : [`${file}: ${found}`];
  });
  expect(wrong).toEqual([]);
});

test("the samples are recognised", () => {
  const folder = path.join(import.meta.dirname, "../../public/samples");
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".jsonl"))) {
    expect(sniffReader(readRecords(readFileSync(path.join(folder, file))).map(({ value }) => value))).toBeDefined();
  }
});
