import { expect, it } from "vitest";
import { claudeCodeReader } from "../../claude-code/read/reader";
import { clawdcodeReader } from "./reader";
import { BOUNDARY_TEXT } from "./sniff";

const base = { uuid: "u", parentUuid: null, sessionId: "s", cwd: "/", version: "1" };
const row = { ...base, type: "user", message: { role: "user", content: "x" } };
const claude = { ...row, isSidechain: false, userType: "external" };
const call = { ...base, type: "tool_use", tool: { id: "1", name: "Read", input: {} } };
const result = { ...base, type: "tool_result", toolResult: { id: "1", output: "" } };
const boundary = {
  ...base,
  type: "system",
  subtype: "compact_boundary",
  message: { role: "system", content: BOUNDARY_TEXT },
};

it.each([
  ["a text row", [row]],
  ["calls and results", [call, result]],
  ["calls among rows that look like Claude Code's", [claude, call]],
  ["a boundary", [boundary]],
  ["an unknown kind among known ones", [{ type: "new" }, row]],
])("%s is recognised as ClawdCode's, and not as Claude Code's", (_name, head) => {
  expect(clawdcodeReader.sniff(head)).toBe(true);
  expect(claudeCodeReader.sniff(head)).toBe(false);
});

it.each([
  ["nothing", []],
  ["Claude Code", [claude]],
  ["Claude Code: a row without isSidechain next to others", [row, claude]],
  ["Claude Code: a title", [{ type: "summary", summary: "x", leafUuid: "u" }, row]],
  [
    "Claude Code: its boundary",
    [{ ...base, type: "system", subtype: "compact_boundary", isSidechain: false, content: "Compacted" }],
  ],
  ["Qwen Code: parts", [{ ...base, type: "user", message: { role: "user", parts: [{ text: "x" }] } }]],
  ["Qwen Code: a result", [{ ...base, type: "tool_result", toolCallResult: {}, message: { role: "user", parts: [] } }]],
  ["a stream of events", [{ type: "tool_use", sessionID: "s", part: { tool: "read" } }]],
  [
    "pi",
    [
      { type: "session", version: 3, id: "s", cwd: "/" },
      { type: "message", message: { role: "user", content: "x" } },
    ],
  ],
  ["a chat", [{ role: "user", content: "x" }]],
])("%s is not recognised", (_name, head) => {
  expect(clawdcodeReader.sniff(head)).toBe(false);
});
