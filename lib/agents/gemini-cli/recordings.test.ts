import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectedRows, judge, WITHOUT_RECORDINGS } from "../testing/expected";
import { readFile } from "../testing/read";
import { geminiReader } from "./read/reader";

const rows = expectedRows("gemini-cli");

describe("recordings of real sessions", () => {
  if (rows.length === 0) it.skip(WITHOUT_RECORDINGS);

  it.for(rows)("$file: every judged figure agrees", ({ path, expected }) => {
    const { transcript, records } = readFile(readFileSync(path), geminiReader);
    expect(judge(transcript, expected)).toEqual([]);
    expect([...transcript.records.unknown]).toEqual([]);
    expect(transcript.problems).toEqual([]);
    expect(geminiReader.sniff(records.slice(0, 50).map((record) => record.value))).toBe(true);
  });
});
