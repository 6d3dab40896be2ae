import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectedRows, judge, WITHOUT_RECORDINGS } from "../testing/expected";
import { readTranscript } from "../testing/read";
import { codexReader } from "./reader";

const rows = expectedRows("codex");

describe.skipIf(rows.length === 0)(`recordings (${WITHOUT_RECORDINGS} otherwise)`, () => {
  it.each(rows)("$file agrees on every judged field", ({ path, expected }) => {
    const transcript = readTranscript(readFileSync(path), codexReader);
    expect(judge(transcript, expected)).toEqual([]);
    expect([...transcript.records.unknown]).toEqual([]);
  });

  it.each(rows)("$file gives every counted request to a response of its own", ({ path }) => {
    const transcript = readTranscript(readFileSync(path), codexReader);
    for (const [index, point] of transcript.requests.entries()) {
      const next = transcript.requests[index + 1]?.message ?? transcript.messages.length;
      const response = transcript.messages.slice(point.message, next);
      expect(response[0]?.origin, `the response of line ${point.line}`).toBe("response");
    }
  });
});
