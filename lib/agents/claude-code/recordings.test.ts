import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectedRows, judge, WITHOUT_RECORDINGS } from "../testing/expected";
import { readRecords, readTranscript } from "../testing/read";
import { claudeCodeReader } from "./read/reader";

const rows = expectedRows("claude-code");

describe("recordings of real sessions", () => {
  if (rows.length === 0) it.skip(WITHOUT_RECORDINGS);

  it.for(rows)("$file: every judged figure agrees", ({ path, expected }) => {
    expect(judge(readTranscript(readFileSync(path), claudeCodeReader), expected)).toEqual([]);
  });

  it.for(rows)("$file: is recognised as Claude Code", ({ path }) => {
    const head = readRecords(readFileSync(path)).slice(0, 50);
    expect(claudeCodeReader.sniff(head.map((record) => record.value))).toBe(true);
  });
});
