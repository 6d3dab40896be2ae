import { expect, it } from "vitest";
import { claudeCodeReader } from "./reader";

const base = { uuid: "u", parentUuid: null, sessionId: "s", cwd: "/", version: "1" };
const claude = {
  ...base,
  type: "user",
  isSidechain: false,
  userType: "external",
  message: { role: "user", content: "x" },
};

it.each([
  ["a user record", [claude]],
  ["a user record after queue records", [{ type: "queue-operation", operation: "enqueue", sessionId: "s" }, claude]],
  ["only a title", [{ type: "summary", summary: "x", leafUuid: "u" }]],
  ["only a snapshot", [{ type: "file-history-snapshot", messageId: "m", snapshot: {} }]],
  ["a custom title", [{ type: "custom-title", customTitle: "x", sessionId: "s" }]],
  ["an unknown kind among known ones", [{ type: "new" }, claude]],
])("%s is recognised as Claude Code's", (_name, head) => {
  expect(claudeCodeReader.sniff(head)).toBe(true);
});

it.each([
  ["nothing", []],
  ["ClawdCode: neither isSidechain nor userType", [{ ...base, type: "user", message: { role: "user", content: "x" } }]],
  [
    "ClawdCode: a call as a record",
    [claude, { ...base, type: "tool_use", tool: { id: "1", name: "Read", input: {} } }],
  ],
  ["ClawdCode: a result as a record", [claude, { ...base, type: "tool_result", toolResult: { id: "1", output: "" } }]],
  [
    "ClawdCode: its boundary",
    [claude, { ...base, type: "system", subtype: "compact_boundary", content: "=== 上下文压缩边界 ===" }],
  ],
  [
    "ClawdCode: its boundary, as a message",
    [claude, { ...base, type: "system", message: { role: "system", content: "=== 上下文压缩边界 ===" } }],
  ],
  [
    "Qwen Code: parts",
    [{ ...base, type: "user", isSidechain: true, message: { role: "user", parts: [{ text: "x" }] } }],
  ],
  ["Codex", [{ timestamp: "t", type: "session_meta", payload: { id: "s" } }]],
  [
    "pi",
    [
      { type: "session", version: 3, id: "s", cwd: "/" },
      { type: "message", message: { role: "user" } },
    ],
  ],
  ["Gemini CLI", [{ sessionId: "s", projectHash: "h", startTime: "t", kind: "main" }]],
  ["a chat", [{ role: "user", content: "x" }]],
])("%s is not recognised", (_name, head) => {
  expect(claudeCodeReader.sniff(head)).toBe(false);
});
