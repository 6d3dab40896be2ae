import { expect, it } from "vitest";
import { piReader } from "./reader";

const at = { timestamp: "2026-03-01T10:00:00.000Z" };
const header = { type: "session", version: 3, id: "s", cwd: "/", ...at };
const message = { type: "message", id: "1", parentId: null, ...at, message: { role: "user", content: "x" } };

it.each([
  ["a header", [header]],
  ["a header of version 1", [{ type: "session", id: "s", cwd: "/", ...at }]],
  ["entries without a header", [message]],
  ["an extension's state", [header, { type: "custom", customType: "todo", id: "2", ...at }]],
  ["an unknown kind among known ones", [{ type: "new" }, message]],
])("%s is recognised as pi's", (_name, head) => {
  expect(piReader.sniff(head)).toBe(true);
});

it.each([
  ["nothing", []],
  ["OpenClaw: its state", [header, { type: "custom", customType: "openclaw.cache-ttl", ...at }]],
  ["OpenClaw: an error of its prompt", [header, { type: "custom", customType: "openclaw:prompt-error", ...at }]],
  ["OpenClaw: the model of a session", [header, { type: "custom", customType: "model-snapshot", ...at }]],
  [
    "OpenClaw: a delivery mirror",
    [header, { ...message, message: { role: "assistant", provider: "openclaw", model: "delivery-mirror" } }],
  ],
  ["a session of another kind", [{ type: "session", id: "s" }]],
  ["Claude Code", [{ type: "user", uuid: "u", isSidechain: false, message: { role: "user" }, ...at }]],
  ["Codex", [{ type: "session_meta", payload: { id: "s" }, ...at }]],
  ["an answer of the Messages API", [{ type: "message", id: "msg_1", role: "assistant", content: [] }]],
  ["a chat", [{ role: "user", content: "x" }]],
])("%s is not recognised", (_name, head) => {
  expect(piReader.sniff(head)).toBe(false);
});
