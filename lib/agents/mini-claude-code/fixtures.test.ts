import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { assertDefined } from "@/lib/core/base/assert";
import { utf8Length } from "@/lib/core/base/characters";
import { looksLikeDocument, recordsOfDocument } from "@/lib/core/records/document";
import { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Transcript } from "@/lib/core/transcript/model";
import { readTranscript } from "@/verify/support/read";
import { miniClaudeCodeReader } from "./read/reader";

const FOLDER = fileURLToPath(new URL("./fixtures/", import.meta.url));
const bytesOf = (name: string): Uint8Array => readFileSync(`${FOLDER}${name}.jsonl`);

it.each(["tool-turns", "chinese", "many-turns"])("%s is read the same as one JSON list", (name) => {
  const lines = Buffer.from(bytesOf(name)).toString("utf8").trimEnd().split("\n");
  const list = `[\n${lines.join(",\n")}\n]\n`;
  expect(looksLikeDocument(list)).toBe(true);
  const builder = new TranscriptBuilder({ keepChars: Number.MAX_SAFE_INTEGER, byteLength: utf8Length });
  const parser = miniClaudeCodeReader.parse(builder);
  for (const record of assertDefined(recordsOfDocument(list), "a list of objects")) parser.record(record);
  parser.end();
  const got = builder.finish("mini-claude-code", "mini-claude-code");
  const expected = readTranscript(bytesOf(name), miniClaudeCodeReader);
  const content = ({ messages }: Transcript) =>
    messages.map(({ role, blocks }) => [role, blocks.map(({ text }) => text)]);
  expect(content(got)).toEqual(content(expected));
  expect(got.requests.map((point) => point.message)).toEqual(expected.requests.map((point) => point.message));
});

describe("a system message before all other messages", () => {
  const messages = [
    { role: "user", content: "Count." },
    { role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "bash", args: {} }] },
    { role: "system", content: "Later." },
  ];
  const read = (...records: readonly object[]) =>
    readTranscript(Buffer.from(records.map((record) => JSON.stringify(record)).join("\n")), miniClaudeCodeReader);
  const contentOf = ({ overhead, messages }: Transcript) => ({
    overhead: overhead.map(({ category, name, text }) => [category, name, text.value]),
    messages: messages.map(({ role, blocks }) => [role, blocks.map(({ text }) => text.value)]),
  });
  const prompt = { role: "system", content: "You are brief." };

  it("is the system prompt, whether records are messages or hold a list of them", () => {
    const expected = contentOf(read({ system: "You are brief.", messages }));
    expect(expected.overhead).toEqual([["systemPrompt", "system prompt", "You are brief."]]);
    expect(expected.messages.map(([role]) => role)).toEqual(["user", "assistant", "system"]);
    expect(contentOf(read(prompt, ...messages))).toEqual(expected);
    expect(contentOf(read({ messages: [prompt, ...messages] }))).toEqual(expected);
  });

  it("adds its own system prompt in each further history", () => {
    const { overhead } = read({ messages: [prompt, ...messages] }, { messages: [{ ...prompt, content: "B" }] });
    expect(overhead.map(({ text }) => text.value)).toEqual(["You are brief.", "B"]);
  });
});

it.each([
  ["a chat", [{ role: "user", content: "x" }]],
  ["a chat in parts", [{ role: "assistant", content: [{ type: "text", text: "x" }] }]],
  ["an API's request", [{ model: "m", messages: [{ role: "assistant", content: [{ type: "tool_use", id: "1" }] }] }]],
  ["pi", [{ type: "message", message: { role: "assistant", content: [{ type: "toolCall", id: "1" }] } }]],
  ["nothing", []],
])("%s is not recognised", (_name, head) => {
  expect(miniClaudeCodeReader.sniff(head)).toBe(false);
});
