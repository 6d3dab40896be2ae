import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { dumpTranscript } from "@/lib/core/transcript/dump";
import type { Transcript } from "@/lib/core/transcript/model";
import { READERS } from "../readers";
import { readRecords, readTranscript } from "../testing/read";
import { clawdcodeReader } from "./reader";
import { resumedEntries, sessionEntries } from "./storage";

const FOLDER = fileURLToPath(new URL("./fixtures/", import.meta.url));
const FIXTURES = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".jsonl"))
  .map((name) => name.slice(0, -".jsonl".length));

const bytesOf = (name: string): Uint8Array => readFileSync(`${FOLDER}${name}.jsonl`);
const read = (bytes: Uint8Array, chunk?: number): Transcript =>
  readTranscript(bytes, clawdcodeReader, chunk === undefined ? {} : { chunk });
const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");

describe.for(FIXTURES)("%s", (name) => {
  const bytes = bytesOf(name);
  const whole = dumpTranscript(read(bytes));

  it("reads as its golden dump says", async () => {
    await expect(whole).toMatchFileSnapshot(`${FOLDER}${name}.golden.txt`);
  });

  it("is recognised as ClawdCode and as no other", () => {
    const head = readRecords(bytes)
      .slice(0, 50)
      .map((record) => record.value);
    const others = Object.values(READERS).filter((reader) => String(reader.format) !== clawdcodeReader.format);
    expect(clawdcodeReader.sniff(head)).toBe(true);
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
      expect(transcript.requests.map((point) => point.usage)).toEqual(before.requests.map((point) => point.usage));
    }
  });

  it("reads what is there when it breaks off", () => {
    const text = Buffer.from(bytes).toString("latin1");
    let records = 0;
    for (let at = 0; at <= text.length; at += at % 3 === 0 ? 1 : 41) {
      const transcript = read(latin1(text.slice(0, at)));
      expect(transcript.records.total).toBeGreaterThanOrEqual(records);
      records = transcript.records.total;
    }
  });

  it("gives the texts of a record as they were measured, where each block says", () => {
    for (const block of read(bytes).messages.flatMap((message) => message.blocks)) {
      const { offset, length, part } = block.source;
      const record = JSON.parse(Buffer.from(bytes.subarray(offset, offset + length)).toString("utf8"));
      expect(clawdcodeReader.texts(record)[part]).toBe(block.text.value);
    }
  });
});

it("a resumed session loses what its last compaction kept", () => {
  const text = Buffer.from(bytesOf("compactions")).toString("utf8");
  const resumed = resumedEntries(sessionEntries(text));
  expect(resumed.map((entry) => entry.message)).toEqual([
    { role: "user", content: "A boundary without summary was here." },
  ]);
});
