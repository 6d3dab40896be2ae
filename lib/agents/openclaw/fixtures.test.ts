import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { dumpTranscript } from "@/lib/core/transcript/dump";
import type { Block, Transcript } from "@/lib/core/transcript/model";
import { readRecords, readTranscript } from "../testing/read";
import { openClawReader } from "./reader";

const FOLDER = fileURLToPath(new URL("./fixtures/", import.meta.url));
const FIXTURES = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".jsonl"))
  .map((name) => name.slice(0, -".jsonl".length));

const bytesOf = (name: string): Uint8Array => readFileSync(`${FOLDER}${name}.jsonl`);
const read = (bytes: Uint8Array, chunk?: number): Transcript =>
  readTranscript(bytes, openClawReader, chunk === undefined ? {} : { chunk });
const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");

it.for(FIXTURES)("%s reads as its golden dump says", async (name) => {
  await expect(dumpTranscript(read(bytesOf(name)))).toMatchFileSnapshot(`${FOLDER}${name}.golden.txt`);
});

describe.for(FIXTURES)("%s", (name) => {
  const bytes = bytesOf(name);
  const whole = dumpTranscript(read(bytes));

  it("is recognised", () => {
    expect(
      openClawReader.sniff(
        readRecords(bytes)
          .slice(0, 50)
          .map((record) => record.value),
      ),
    ).toBe(true);
  });

  it("reads the same in any chunking", () => {
    for (const chunk of [1, 7, 64, 1000]) expect(dumpTranscript(read(bytes, chunk))).toBe(whole);
  });

  it("reads the same with CR LF", () => {
    const crlf = latin1(Buffer.from(bytes).toString("latin1").replaceAll("\n", "\r\n"));
    expect(dumpTranscript(read(crlf))).toBe(whole);
  });

  it("reads the same without a final newline, and with one more", () => {
    const text = Buffer.from(bytes).toString("latin1").replace(/\n$/, "");
    expect(dumpTranscript(read(latin1(text)))).toBe(whole);
    expect(dumpTranscript(read(latin1(`${text}\n\n`)))).toBe(whole);
  });

  it("counts a garbage line and reads on", () => {
    const lines = Buffer.from(bytes).toString("latin1").split("\n");
    const before = read(bytes);
    for (let at = 0; at < lines.length; at++) {
      const transcript = read(latin1(lines.toSpliced(at, 0, "\u0000\u0001 garbage").join("\n")));
      expect(transcript.damaged).toHaveLength(before.damaged.length + 1);
      expect(transcript.damaged).toContainEqual({ line: at + 1, bytes: 10, reason: "not JSON" });
      expect(transcript.messages).toHaveLength(before.messages.length);
      expect(transcript.requests.map((point) => point.usage)).toEqual(before.requests.map((point) => point.usage));
    }
  });

  it("reads what is there when it breaks off, at every line and within each", () => {
    const text = Buffer.from(bytes).toString("latin1");
    let records = 0;
    for (let at = 0; at <= text.length; at += at % 3 === 0 ? 1 : 41) {
      const transcript = read(latin1(text.slice(0, at)));
      expect(transcript.records.total).toBeGreaterThanOrEqual(records);
      records = transcript.records.total;
    }
  });

  it("gives the texts of a record as they were measured", () => {
    const transcript = read(bytes);
    const records = readRecords(bytes);
    for (const block of transcript.messages.flatMap((message) => message.blocks)) {
      expect(textOf(block, records)).toHaveLength(block.text.chars);
      if (block.text.value !== undefined) expect(textOf(block, records)).toBe(block.text.value);
    }
  });

  it("says where each block's record lies", () => {
    const transcript = read(bytes);
    for (const block of transcript.messages.flatMap((message) => message.blocks)) {
      const { offset, length, part } = block.source;
      const record = JSON.parse(Buffer.from(bytes.subarray(offset, offset + length)).toString("utf8"));
      expect(openClawReader.texts(record)[part]).toHaveLength(block.text.chars);
    }
  });
});

function textOf(block: Block, records: ReturnType<typeof readRecords>): string | undefined {
  const record = records.find(({ offset }) => offset === block.source.offset);
  return record === undefined ? undefined : openClawReader.texts(record.value)[block.source.part];
}
