import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectedRows, judge, WITHOUT_RECORDINGS } from "../testing/expected";
import { readRecords, readTranscript } from "../testing/read";
import { piReader } from "./read/reader";

const rows = expectedRows("pi");

describe("recordings of real sessions", () => {
  if (rows.length === 0) it.skip(WITHOUT_RECORDINGS);

  it.for(rows)("$file: every judged figure agrees", ({ path, expected }) => {
    const transcript = readTranscript(readFileSync(path), piReader);
    expect(judge(transcript, expected)).toEqual([]);
    expect([...transcript.records.unknown]).toEqual([]);
  });

  it.for(rows)("$file: is recognised as pi", ({ path }) => {
    const head = readRecords(readFileSync(path)).slice(0, 50);
    expect(piReader.sniff(head.map((record) => record.value))).toBe(true);
  });

  it.for(rows)("$file: nothing is odd that the dossier does not name", ({ path }) => {
    const { problems } = readTranscript(readFileSync(path), piReader);
    const codes = new Set(problems.map((problem) => problem.code));
    expect([...codes].filter((code) => !["pseudo-usage", "unanswered-call"].includes(code))).toEqual([]);
  });
});
