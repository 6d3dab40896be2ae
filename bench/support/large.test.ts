import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { SERVER_PROFILES } from "@/lib/agents/registry";
import type { Transcript } from "@/lib/core/transcript/model";
import { readTranscript } from "@/verify/support/read";
import { makeLarge } from "./large";

const folder = mkdtempSync(join(tmpdir(), "context-replay-large-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SAMPLES = fileURLToPath(new URL("../../public/samples", import.meta.url));

/** The sum of the tokens sent with each request. */
function sent(transcript: Transcript): number {
  return transcript.requests.reduce(
    (sum, { usage }) => sum + (usage?.input ?? 0) + (usage?.cacheRead ?? 0) + (usage?.cacheWrite ?? 0),
    0,
  );
}

it.each([
  ["claude-code", "claude-code-duplicate-shipments.jsonl"],
  ["codex", "codex-sliding-window.jsonl"],
] as const)("%s: a recording enlarged to three copies has three times the requests", async (agent, sample) => {
  const source = join(SAMPLES, sample);
  const once = readFileSync(source);
  const target = join(folder, sample);
  const made = await makeLarge(source, target, once.length * 2.2);
  expect(made.copies).toBe(3);
  const { reader } = SERVER_PROFILES[agent];
  const single = readTranscript(once, reader);
  const large = readTranscript(readFileSync(target), reader);
  expect(large.requests).toHaveLength(single.requests.length * 3);
  expect(sent(large)).toBe(sent(single) * 3);
  expect(large.boundaries).toHaveLength(single.boundaries.length * 3);
  expect(large.problems.map(({ code }) => code)).not.toContain("duplicate-record");
  const times = large.requests.flatMap(({ at }) => at ?? []);
  expect(times).toEqual([...times].sort((a, b) => a - b));
});

it("the generator of large files refuses a source without lines", async () => {
  const empty = join(folder, "empty.jsonl");
  writeFileSync(empty, "");
  await expect(makeLarge(empty, join(folder, "out.jsonl"), 10)).rejects.toThrow("no lines");
});
