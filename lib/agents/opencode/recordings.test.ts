import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectedRows, judge, WITHOUT_RECORDINGS } from "../testing/expected";
import { readFile } from "../testing/read";
import { opencodeReader } from "./read/reader";

const rows = expectedRows("opencode");

describe("recordings of real sessions", () => {
  if (rows.length === 0) it.skip(WITHOUT_RECORDINGS);

  it.for(rows)("$file: every judged figure agrees", ({ path, expected }) => {
    const { transcript, records } = readFile(readFileSync(path), opencodeReader);
    expect(judge(transcript, expected)).toEqual([]);
    expect([...transcript.records.unknown]).toEqual([]);
    // A failed response has zeros for its usage.
    expect(transcript.problems.filter(({ code }) => code !== "pseudo-usage")).toEqual([]);
    expect(opencodeReader.sniff(records.slice(0, 50).map((record) => record.value))).toBe(true);
  });
});
