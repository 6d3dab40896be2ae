import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { sniffReader } from "@/lib/agents/readers";
import { readRecords, readTranscript } from "@/lib/agents/testing/read";
import type { Transcript } from "@/lib/core/transcript/model";
import { SAMPLES } from "./samples";

const FOLDER = fileURLToPath(new URL("../../public/samples", import.meta.url));

function transcriptOf(file: string): Transcript {
  const bytes = readFileSync(join(FOLDER, file));
  const head = readRecords(bytes).slice(0, 50);
  const reader = sniffReader(head.map((record) => record.value));
  if (reader === undefined) throw new Error(`no reader knows ${file}`);
  return readTranscript(bytes, reader);
}

function codes(transcript: Transcript): string[] {
  return [...new Set(transcript.problems.map(({ code }) => code))].sort();
}

/** Context of a request: what was sent with it. */
function contexts(transcript: Transcript): number[] {
  return transcript.requests.flatMap(({ usage }) =>
    usage === undefined ? [] : [usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0)],
  );
}

describe("bundled samples", () => {
  it.for(SAMPLES)("$file is what the generator makes", ({ file, build }) => {
    // Not `toBe`: a difference would print a megabyte.
    expect(build() === readFileSync(join(FOLDER, file), "utf8"), "run `npm run bench make-samples`").toBe(true);
  });

  it("stay small enough to be bundled", () => {
    const sizes = SAMPLES.map(({ file }) => statSync(join(FOLDER, file)).size);
    expect(Math.max(...sizes)).toBeLessThan(1_500_000);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(4_000_000);
  });

  it("hold what there is to see in Claude Code's: a fork, a damaged line, an image, a compaction", () => {
    const transcript = transcriptOf("claude-code-duplicate-shipments.jsonl");
    expect(transcript.title).toBe("Stop duplicate shipments after retried imports");
    expect(codes(transcript)).toEqual(["damaged-line", "left-behind-branch"]);
    expect(transcript.damaged).toMatchObject([{ reason: "cut off" }]);
    expect(transcript.messages.flatMap(({ blocks }) => blocks.filter(({ kind }) => kind === "image"))).toHaveLength(1);
    expect(transcript.boundaries).toMatchObject([{ kind: "compaction", trigger: "auto" }]);
    const [before] = transcript.boundaries.map(({ tokensBefore }) => tokensBefore);
    expect(before).toBeGreaterThanOrEqual(167_000);
    expect(transcript.requests.length).toBeGreaterThanOrEqual(60);
    expect(Math.max(...contexts(transcript))).toBeLessThan(200_000);
  });

  it("hold a subagent's records in the Chinese one of Claude Code's", () => {
    const transcript = transcriptOf("claude-code-report-timezone.jsonl");
    expect(codes(transcript)).toEqual([]);
    expect(transcript.sidechains).toBe(1);
    expect(transcript.boundaries).toEqual([]);
  });

  it("hold a compaction with a replaced history in Codex's", () => {
    const transcript = transcriptOf("codex-sliding-window.jsonl");
    expect(codes(transcript)).toEqual(["pseudo-usage"]);
    expect(transcript.recordedWindow).toBe(121_600);
    expect(transcript.boundaries).toHaveLength(1);
    expect(transcript.boundaries[0]?.kept.length).toBeGreaterThan(0);
    expect(transcript.boundaries[0]?.summaryLine).toBeDefined();
  });

  it("hold no compaction in the Chinese one of Codex's", () => {
    const transcript = transcriptOf("codex-duplicate-messages.jsonl");
    expect(codes(transcript)).toEqual([]);
    expect(transcript.boundaries).toEqual([]);
    expect(transcript.requests.length).toBeGreaterThan(20);
  });
});
