import { expect, test } from "vitest";
import { READERS } from "./registry";

const message = { role: "user", content: "hi" };
const parts = [{ text: "hi" }];

test.each([
  // Too little for its own reader, and unknown to all others.
  ["Claude Code", { type: "user", uuid: "1", message }, []],
  ["Qwen Code", { type: "user", uuid: "1", sessionId: "2", message: { role: "user", parts } }, []],
  ["pi's header", { type: "session", id: "1", timestamp: "2026-01-01T00:00:00Z", cwd: "/" }, ["pi"]],
  [
    "pi's message",
    { type: "message", id: "1", message: { role: "user", content: [{ type: "text", text: "hi" }] } },
    [],
  ],
  ["Codex", { type: "session_meta", payload: {} }, ["codex"]],
  ["Gemini CLI", { sessionId: "1", projectHash: "2", startTime: "2026-01-01T00:00:00Z" }, ["gemini-cli"]],
  ["Gemini CLI, a document", { sessionId: "1", projectHash: "2", messages: [] }, ["gemini-cli"]],
  ["opencode", { info: { id: "ses_1" }, messages: [] }, ["opencode"]],
  ["an export without a session", { info: {}, messages: [] }, []],
  ["a chat", message, ["chat"]],
  ["a list of a chat", { messages: [message] }, ["chat"]],
  ["contents without a session", { role: "assistant", parts }, []],
])("a single record of %s is recognised only by its own format's readers", (_name, record, formats) => {
  expect(READERS.filter((reader) => reader.sniff([record])).map(({ format }) => format)).toEqual(formats);
});

test("an empty file is recognised by no reader", () => {
  expect(READERS.filter((reader) => reader.sniff([]))).toEqual([]);
});
