import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { assertDefined } from "@/lib/core/base/assert";
import { utf8Length } from "@/lib/core/tokens/characters";
import { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { looksLikeDocument, recordsOfDocument } from "@/lib/core/transcript/document";
import { dumpTranscript } from "@/lib/core/transcript/dump";
import type { Transcript } from "@/lib/core/transcript/model";
import { READERS } from "../readers";
import { readRecords, readTranscript } from "../testing/read";
import { miniClaudeCodeReader } from "./reader";

const FOLDER = fileURLToPath(new URL("./fixtures/", import.meta.url));
const FIXTURES = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".jsonl"))
  .map((name) => name.slice(0, -".jsonl".length));

const bytesOf = (name: string): Uint8Array => readFileSync(`${FOLDER}${name}.jsonl`);
const read = (bytes: Uint8Array, chunk?: number): Transcript =>
  readTranscript(bytes, miniClaudeCodeReader, chunk === undefined ? {} : { chunk });
const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");

describe.for(FIXTURES)("%s", (name) => {
  const bytes = bytesOf(name);
  const whole = dumpTranscript(read(bytes));

  it("reads as its golden dump says", async () => {
    await expect(whole).toMatchFileSnapshot(`${FOLDER}${name}.golden.txt`);
  });

  it("is recognised as mini-claude-code and as no other", () => {
    const head = readRecords(bytes)
      .slice(0, 50)
      .map((record) => record.value);
    const others = Object.values(READERS).filter((reader) => String(reader.format) !== miniClaudeCodeReader.format);
    expect(miniClaudeCodeReader.sniff(head)).toBe(true);
    expect(others.filter((reader) => reader.sniff(head))).toEqual([]);
  });

  it("reads the same in any chunking, with CR LF, without a final newline", () => {
    const text = Buffer.from(bytes).toString("latin1");
    for (const chunk of [1, 7, 1000]) expect(dumpTranscript(read(bytes, chunk))).toBe(whole);
    expect(dumpTranscript(read(latin1(text.replaceAll("\n", "\r\n"))))).toBe(whole);
    expect(dumpTranscript(read(latin1(text.replace(/\n$/, ""))))).toBe(whole);
  });

  it("counts a garbage line and reads on", () => {
    const lines = Buffer.from(bytes).toString("latin1").split("\n");
    const before = read(bytes);
    for (let at = 0; at < lines.length; at++) {
      const transcript = read(latin1(lines.toSpliced(at, 0, "\u0000\u0001 garbage").join("\n")));
      expect(transcript.damaged).toHaveLength(before.damaged.length + 1);
      expect(transcript.messages).toHaveLength(before.messages.length);
    }
  });

  it("reads what is there when it breaks off", () => {
    const text = Buffer.from(bytes).toString("latin1");
    let records = 0;
    for (let at = 0; at <= text.length; at += at % 3 === 0 ? 7 : 141) {
      const transcript = read(latin1(text.slice(0, at)));
      expect(transcript.records.total).toBeGreaterThanOrEqual(records);
      records = transcript.records.total;
    }
  });

  it("gives the texts of a record as they were measured, where each block says", () => {
    const transcript = read(bytes);
    const blocks = transcript.messages.flatMap((message) => message.blocks);
    for (const { source, text } of [...blocks, ...transcript.overhead]) {
      const { offset, length, part } = source;
      const record = JSON.parse(Buffer.from(bytes.subarray(offset, offset + length)).toString("utf8"));
      const found = miniClaudeCodeReader.texts(record)[part];
      expect(found).toHaveLength(text.chars);
      if (text.value !== undefined) expect(found).toBe(text.value);
    }
  });
});

it.each(["tool-turns", "chinese", "many-turns"])("%s reads the same as one JSON list", (name) => {
  const lines = Buffer.from(bytesOf(name)).toString("utf8").trimEnd().split("\n");
  const list = `[\n${lines.join(",\n")}\n]\n`;
  expect(looksLikeDocument(list)).toBe(true);
  const builder = new TranscriptBuilder({ keepChars: Number.MAX_SAFE_INTEGER, byteLength: utf8Length });
  const parser = miniClaudeCodeReader.parse(builder);
  for (const record of assertDefined(recordsOfDocument(list), "a list of objects")) parser.record(record);
  parser.end();
  const got = builder.finish("mini-claude-code", "mini-claude-code");
  const expected = read(bytesOf(name));
  const content = ({ messages }: Transcript) =>
    messages.map(({ role, blocks }) => [role, blocks.map(({ text }) => text)]);
  expect(content(got)).toEqual(content(expected));
  expect(got.requests.map((point) => point.message)).toEqual(expected.requests.map((point) => point.message));
});

it.each([
  ["a chat", [{ role: "user", content: "x" }]],
  ["a chat in parts", [{ role: "assistant", content: [{ type: "text", text: "x" }] }]],
  ["an API's request", [{ model: "m", messages: [{ role: "assistant", content: [{ type: "tool_use", id: "1" }] }] }]],
  ["pi", [{ type: "message", message: { role: "assistant", content: [{ type: "toolCall", id: "1" }] } }]],
  ["nothing", []],
])("%s is not", (_name, head) => {
  expect(miniClaudeCodeReader.sniff(head)).toBe(false);
});
