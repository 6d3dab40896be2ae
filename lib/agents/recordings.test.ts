import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { assertDefined } from "@/lib/core/base/assert";
import { expectedRows, judge, WITHOUT_RECORDINGS } from "@/verify/support/expected";
import { readFile } from "@/verify/support/read";
import { readerOf } from "./registry";

/** Codes of the problems that real sessions have, for formats whose record types are all known. A failed response has zeros for its usage. */
const PROBLEMS: Readonly<Record<string, readonly string[] | undefined>> = {
  "claude-code": undefined,
  "gemini-cli": [],
  opencode: ["pseudo-usage"],
  pi: ["pseudo-usage", "unanswered-call"],
};

describe.each(Object.entries(PROBLEMS))("recordings of real sessions of %s", (format, known) => {
  const rows = expectedRows(format);
  if (rows.length === 0) it.skip(WITHOUT_RECORDINGS);

  it.for(rows)("$file is recognised, matches every judged number, and has no odd records", ({ path, expected }) => {
    const reader = assertDefined(readerOf(format), "a reader of the format");
    const { transcript, records } = readFile(readFileSync(path), reader);
    expect(judge(transcript, expected)).toEqual([]);
    expect(reader.sniff(records.slice(0, 50).map((record) => record.value))).toBe(true);
    if (known === undefined) return;
    expect([...transcript.records.unknown]).toEqual([]);
    expect(transcript.problems.filter(({ code }) => !known.includes(code))).toEqual([]);
  });
});
