import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { readRecords } from "@/verify/support/read";
import { READERS } from "../../registry";
import { qwenCodeReader } from "./reader";

const base = { uuid: "u", parentUuid: null, sessionId: "s", timestamp: "2026-01-01T00:00:00.000Z" };
const qwen = { ...base, type: "user", message: { role: "user", parts: [{ text: "x" }] } };

it.each([
  ["a user record", [qwen]],
  ["only commands", [{ ...base, type: "system", subtype: "slash_command", systemPayload: {} }]],
  ["a response without a message", [{ ...base, type: "assistant", usageMetadata: { promptTokenCount: 1 } }]],
  ["a subagent's record", [{ ...qwen, isSidechain: true, agentId: "a" }]],
  ["an unknown kind among known ones", [{ type: "new" }, qwen]],
])("%s is recognised as Qwen Code's", (_name, head) => {
  expect(qwenCodeReader.sniff(head)).toBe(true);
});

it.each([
  ["nothing", []],
  [
    "Claude Code: message.content",
    [{ ...base, type: "user", isSidechain: false, message: { role: "user", content: "x" } }],
  ],
  [
    "Claude Code next to a record that looks alike",
    [qwen, { ...base, type: "user", message: { role: "user", content: "x" } }],
  ],
  ["Gemini CLI: a session with projectHash", [{ sessionId: "s", projectHash: "h", startTime: base.timestamp }, qwen]],
  ["Gemini CLI: contents without uuid", [{ sessionId: "s", type: "user", message: { role: "user", parts: [] } }]],
  ["a system record without payload", [{ ...base, type: "system", subtype: "compact_boundary", content: "x" }]],
  ["bare contents", [{ role: "user", parts: [{ text: "x" }] }]],
])("%s is not recognised", (_name, head) => {
  expect(qwenCodeReader.sniff(head)).toBe(false);
});

const AGENTS = fileURLToPath(new URL("../../", import.meta.url));
const heads = (agent: string) =>
  readdirSync(`${AGENTS}${agent}/fixtures`)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => [name, readRecords(readFileSync(`${AGENTS}${agent}/fixtures/${name}`)).slice(0, 50)] as const);
const others = READERS.filter(({ format }) => (format as string) !== "qwen-code");

it.each(heads("qwen-code"))("no other reader recognises %s", (_name, records) => {
  const head = records.map(({ value }) => value);
  expect(others.filter((reader) => reader.sniff(head)).map(({ format }) => format)).toEqual([]);
});

it.each(others.map(({ format }) => format))("the reader recognises no file of %s", (format) => {
  for (const [name, records] of heads(format)) {
    expect(qwenCodeReader.sniff(records.map(({ value }) => value)), name).toBe(false);
  }
});
