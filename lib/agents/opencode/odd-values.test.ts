import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { SourceRecord } from "@/lib/core/transcript/reader";
import { opencodeReader } from "./reader";
import { readFile } from "./testing";

const FOLDER = fileURLToPath(new URL("./fixtures/", import.meta.url));
const FIXTURES = readdirSync(FOLDER).filter((name) => !name.endsWith(".golden.txt"));
const ODD = [null, 0, -1, 1e300, "", "\ud800", "REDACTED", true, [], {}, [null], { id: 1 }, "__proto__"];

/** Numbers from a seed, so that a failure comes again. */
function draws(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A copy in which now and then a value is another one, or is missing. */
function changed(value: unknown, draw: (below: number) => number): unknown {
  if (draw(12) === 0) return ODD[draw(ODD.length)];
  if (Array.isArray(value)) return value.map((entry) => changed(entry, draw));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(() => draw(30) !== 0);
  return Object.fromEntries(entries.map(([key, entry]) => [key, changed(entry, draw)]));
}

it.for(FIXTURES)("%s: values of any kind in any place are read without a throw", (name) => {
  const { records } = readFile(readFileSync(`${FOLDER}${name}`));
  for (let seed = 1; seed <= 60; seed++) {
    const draw = draws(seed);
    const builder = new TranscriptBuilder({ keepChars: 1000, byteLength: Buffer.byteLength });
    const parser = opencodeReader.parse(builder);
    const read: SourceRecord[] = [];
    for (const record of records) {
      const value = changed(record.value, draw);
      if (typeof value !== "object" || value === null || Array.isArray(value)) continue;
      // Checked on the line above: an object.
      const odd = { ...record, value: value as Readonly<Record<string, unknown>> };
      read.push(odd);
      parser.record(odd);
    }
    parser.end();
    const transcript = builder.finish(opencodeReader.format, opencodeReader.format);
    expect(columnsFromTranscript(transcript).length).toBeGreaterThan(0);
    opencodeReader.sniff(read.map((record) => record.value));
    for (const { source, text } of transcript.messages.flatMap((message) => message.blocks)) {
      const texts = read
        .filter(({ offset }) => offset === source.offset)
        .map(({ value }) => opencodeReader.texts(value));
      expect(texts.some((found) => found[source.part]?.length === text.chars)).toBe(true);
    }
  }
});
