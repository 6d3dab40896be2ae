import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { statusline } from "./statusline";

const folder = mkdtempSync(join(tmpdir(), "context-replay-statusline-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROMPT = { type: "user", uuid: "u1", parentUuid: null, message: { role: "user", content: "Hello." } };

function response(usage: object, model = "claude-opus-4-6", uuid = "a1", parentUuid = "u1") {
  return { type: "assistant", uuid, parentUuid, timestamp: "2026-10-01T10:00:00.000Z", message: { model, usage } };
}

const USAGE = {
  input_tokens: 1000,
  cache_read_input_tokens: 90_000,
  cache_creation_input_tokens: 2000,
  output_tokens: 400,
};

/** The status line of a session with these records. */
function lineOf(records: readonly object[], status: object = {}, environment: Record<string, string> = {}): string {
  const transcript = join(folder, "session.jsonl");
  writeFileSync(transcript, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  return statusline(JSON.stringify({ transcript_path: transcript, ...status }), environment);
}

describe("the status line", () => {
  test("shows context, distance to compaction and cost", () => {
    const status = { context_window: { context_window_size: 200_000 }, cost: { total_cost_usd: 4.21 } };
    // 1,000 at $5, 90,000 read at $0.50, 2,000 written at $6.25, 400 out at $25 a million
    expect(lineOf([PROMPT, response(USAGE)], status)).toBe(
      "93.4k of 200k (47 %) · compacts in 73.6k · last request $0.0725 · session $4.21",
    );
  });

  test("takes the window from the model if Claude Code names none", () => {
    expect(lineOf([PROMPT, response(USAGE)])).toMatch(/^93\.4k of 200k /);
    expect(lineOf([PROMPT, response(USAGE)], { model: { id: "claude-opus-4-6[1m]" } })).toMatch(
      /^93\.4k of 1M \(9 %\)/,
    );
    const large = { ...USAGE, cache_read_input_tokens: 400_000 };
    expect(lineOf([PROMPT, response(large)])).toMatch(/^403\.4k of 1M \(40 %\)/);
    // A lower bound of the window is not a limit.
    expect(lineOf([PROMPT, response(large, "claude-haiku-4-5")])).toMatch(/^403\.4k, window unknown · last request/);
  });

  test("follows the variables that decide when Claude Code compacts", () => {
    const records = [PROMPT, response(USAGE)];
    expect(lineOf(records, {}, { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: "60" })).toContain("compacts in 14.6k");
    expect(lineOf(records, {}, { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: "50" })).toContain("compacts next");
    expect(lineOf(records, {}, { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "150000" })).toContain("compacts in 23.6k");
    expect(lineOf(records, {}, { CLAUDE_CODE_MAX_OUTPUT_TOKENS: "8000" })).toContain("compacts in 85.6k");
    expect(lineOf(records, {}, { DISABLE_AUTO_COMPACT: "1" })).toContain("does not compact");
    expect(lineOf(records, {}, { DISABLE_AUTO_COMPACT: "0" })).toContain("compacts in 73.6k");
    expect(lineOf(records, {}, { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: "most" })).toContain("compacts in 73.6k");
  });

  test("reports a compaction that just happened, with its size if the file has one", () => {
    const boundary = { type: "system", subtype: "compact_boundary", uuid: "b1", logicalParentUuid: "a1" };
    const records = [PROMPT, response(USAGE), boundary];
    expect(lineOf(records)).toMatch(/^just compacted · last request/);
    const told = [PROMPT, response(USAGE), { ...boundary, compactMetadata: { postTokens: 20_000 } }];
    expect(lineOf(told)).toMatch(/^just compacted: 20k of 200k \(10 %\) · compacts in 147k/);
  });

  test("never shows an unknown price as zero", () => {
    expect(lineOf([PROMPT, response(USAGE, "someone's-model")])).toMatch(/last request n\/a$/);
    expect(lineOf([PROMPT, response({ ...USAGE, speed: "ludicrous" })])).toMatch(/last request n\/a$/);
  });

  test("reads further back if the last response precedes a long result", () => {
    const result = { type: "user", uuid: "u2", parentUuid: "a1", message: { content: "x".repeat(1 << 20) } };
    expect(lineOf([PROMPT, response(USAGE), result])).toMatch(/^93\.4k of 200k/);
    const endless = { ...result, message: { content: "x".repeat(5 << 20) } };
    expect(lineOf([PROMPT, response(USAGE), endless], { cost: { total_cost_usd: 1 } })).toBe("session $1.00");
  });

  test("does not wait for pipes or devices, and hides impossible numbers", () => {
    const pipe = join(folder, "pipe.jsonl");
    if (spawnSync("mkfifo", [pipe]).status === 0) {
      expect(statusline(JSON.stringify({ transcript_path: pipe }), {})).toBe("no response yet");
    }
    expect(statusline(JSON.stringify({ transcript_path: "/dev/zero" }), {})).toBe("no response yet");
    const absurd = { cost: { total_cost_usd: 1e300 }, context_window: { context_window_size: 1e300 } };
    expect(lineOf([PROMPT, response(USAGE)], absurd)).toMatch(/^93\.4k of 200k.*last request \$[\d.]+$/);
    expect(lineOf([PROMPT, response(USAGE)], { cost: { total_cost_usd: -5 } })).not.toContain("session");
  });

  test("reports that there is no data yet", () => {
    expect(lineOf([PROMPT])).toBe("no response yet");
    expect(statusline(JSON.stringify({ transcript_path: join(folder, "not-there.jsonl") }), {})).toBe(
      "no response yet",
    );
    expect(statusline("{}", {})).toBe("no response yet");
    for (const input of ["", "nothing", "[]", "5"])
      expect(statusline(input, {})).toBe("context-replay: this is no status of Claude Code");
  });
});
