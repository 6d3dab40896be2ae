import { expect, it } from "vitest";
import { openClawReader } from "./reader";

const header = { type: "session", version: 3, id: "s", timestamp: "2026-02-03T08:00:00.000Z", cwd: "/" };
const user = {
  type: "message",
  id: "a",
  parentId: null,
  timestamp: "2026-02-03T08:00:01.000Z",
  message: { role: "user" },
};
const custom = (customType: string) => ({ type: "custom", customType, timestamp: "2026-02-03T08:00:02.000Z" });
const answer = (provider: string, model: string) => ({ ...user, message: { role: "assistant", provider, model } });

it.each([
  ["a mark of the cache", [header, user, custom("openclaw.cache-ttl")]],
  ["a prompt's error", [header, custom("openclaw:prompt-error")]],
  ["a snapshot of the model", [header, custom("model-snapshot")]],
  ["Google's turn order", [header, custom("google-turn-ordering-bootstrap")]],
  ["a delivery mirror", [user, answer("openclaw", "delivery-mirror")]],
  ["a mirror of an older name", [user, answer("clawdbot", "delivery-mirror")]],
])("%s is recognised as OpenClaw's", (_name, head) => {
  expect(openClawReader.sniff(head)).toBe(true);
});

it.each([
  ["nothing", []],
  ["pi", [header, user, answer("anthropic", "claude-opus-4-5")]],
  ["pi with an extension", [header, custom("my-extension"), custom("openclawish")]],
  ["Claude Code", [{ type: "user", uuid: "u", isSidechain: false, message: { role: "user", content: "openclaw" } }]],
  ["Codex", [{ timestamp: "t", type: "session_meta", payload: { id: "s" } }]],
  ["Gemini CLI", [{ sessionId: "s", projectHash: "h", startTime: "t", kind: "main" }]],
  ["a chat", [{ role: "assistant", content: "openclaw.cache-ttl" }]],
])("%s is not recognised", (_name, head) => {
  expect(openClawReader.sniff(head)).toBe(false);
});
