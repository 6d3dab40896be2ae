import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { ProblemCode } from "@/lib/core/records/problem";
import { fixturesOf } from "@/verify/support/conformance";
import { expectedRows, WITHOUT_RECORDINGS } from "@/verify/support/expected";
import { readTranscript } from "@/verify/support/read";
import { claudeCodeReader } from "./reader";
import { tailState } from "./tail";

const FIXTURES = path.join(import.meta.dirname, "..", "fixtures");

/** Problems that may end the walk back from a file's last record early. */
const BROKEN: ReadonlySet<ProblemCode> = new Set(["damaged-line", "missing-parent", "parent-cycle"]);

describe("the last request of a session", () => {
  // Captured streams are excluded: no status line points to one, and its last line states the output of all its responses.
  const sessions = fixturesOf(FIXTURES).filter((file) => !file.startsWith("captured-"));
  test.each(sessions)("is the same when read from the end of %s or from the whole file", (file) => {
    compare(readFileSync(path.join(FIXTURES, file)));
  });

  const rows = expectedRows("claude-code");
  if (rows.length === 0) test.skip(WITHOUT_RECORDINGS);
  test.for(rows)("is the same when read from the end of $file or from the whole file", ({ path: file }) =>
    compare(readFileSync(file)),
  );

  /** Compares with the reader's result for the whole file. No status line points to a subagent's file. */
  function compare(bytes: Buffer): void {
    const { requests, problems, links } = readTranscript(bytes, claudeCodeReader);
    if (links.agentId !== undefined || problems.some(({ code }) => BROKEN.has(code))) return;
    const last = requests.findLast(({ usage }) => usage !== undefined);
    const { usage, model } = tailState(bytes.toString("utf8").split("\n"), true)?.response ?? {};
    expect({ usage, model }).toEqual({ usage: last?.usage, model: last?.model });
  }
});

describe("the session state read from the last lines", () => {
  const prompt = line("u1", null, { type: "user" });
  const response = line("a1", "u1", { type: "assistant", message: message(900) });

  test("is unknown while the walk back needs earlier lines", () => {
    const later = line("u2", "a1", { type: "user" });
    expect(tailState([later], false)).toBeUndefined();
    expect(tailState([later], true)).toEqual({ response: undefined, compacted: undefined });
    expect(tailState([response, later], false)?.response?.usage.input).toBe(900);
  });

  test("follows the branch that the last record continues", () => {
    const abandoned = [
      line("u2", "a1", { type: "user" }),
      line("a2", "u2", { type: "assistant", message: message(5000) }),
    ];
    const rewound = line("u3", "a1", { type: "user" });
    expect(tailState([prompt, response, ...abandoned, rewound], true)?.response?.usage.input).toBe(900);
  });

  test("includes a compaction after the last response, with its recorded size", () => {
    const boundary = { type: "system", subtype: "compact_boundary", logicalParentUuid: "a1" };
    const withSize = line("b1", null, { ...boundary, compactMetadata: { trigger: "auto", postTokens: 70 } });
    const summary = line("u2", "b1", { type: "user", isCompactSummary: true });
    expect(tailState([prompt, response, withSize, summary], true)?.compacted).toEqual({ tokensAfter: 70 });
    const withoutSize = line("b1", null, boundary);
    expect(tailState([prompt, response, withoutSize, summary], true)?.compacted).toEqual({ tokensAfter: undefined });
  });

  test("ignores subagents, lines that are not records, client messages, and parents in a cycle", () => {
    const sidechain = line("s1", "a1", { type: "assistant", isSidechain: true, message: message(7) });
    const own = line("a2", "a1", { type: "assistant", message: message(0) });
    expect(tailState([prompt, response, sidechain, own, "5", "{", ""], true)?.response?.usage.input).toBe(900);
    const circle = [line("x", "y", { type: "user" }), line("y", "x", { type: "user" })];
    expect(tailState(circle, true)).toEqual({ response: undefined, compacted: undefined });
  });
});

function line(uuid: string, parentUuid: string | null, fields: object): string {
  return JSON.stringify({ uuid, parentUuid, ...fields });
}

function message(input: number) {
  return { model: "claude-opus-4-6", usage: { input_tokens: input, output_tokens: 1 } };
}
