import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { usageTotals } from "@/lib/core/transcript/totals";
import { readTranscript } from "@/verify/support/read";
import { codexReader } from "../read/reader";

const FIXTURES = path.join(import.meta.dirname, "../fixtures");
const read = (file: string) => readTranscript(readFileSync(path.join(FIXTURES, file)), codexReader);

test("a captured turn has the usage stated at its end", () => {
  const { usage, peak } = usageTotals(read("captured-turn.jsonl"));
  expect(peak).toBeNull();
  expect(usage).toMatchObject({ input: 24_763 - 24_448, cacheRead: 24_448, output: 122 });
});

test("a later turn has only the increase of the thread's usage", () => {
  const { usage } = usageTotals(read("captured-turns.jsonl"));
  expect(usage).toMatchObject({ input: 11_500, cacheRead: 49_000, output: 520, reasoning: 100 });
});

test("each count in the older format is a separate request", () => {
  expect(usageTotals(read("captured-protocol.jsonl"))).toMatchObject({ requests: 2, usage: { output: 50 } });
  expect(usageTotals(read("captured-early-counts.jsonl"))).toMatchObject({ requests: 3, usage: { output: 65 } });
});
