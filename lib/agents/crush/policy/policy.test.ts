import { describe, expect, it, test } from "vitest";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import { crushPolicy } from "./policy";
import { triggerOf } from "./threshold";

/** Window, and the smallest prompt and answer that end a run, as `StopWhen` of the cited release computes them. */
test.each([
  [8192, 6554],
  [65_536, 52_429],
  [128_000, 102_400],
  [131_072, 104_858],
  [200_000, 160_000],
  [200_001, 180_001],
  [272_000, 252_000],
  [1_000_000, 980_000],
])("a window of %i tokens fires at %i", (window, tokens) => {
  expect(triggerOf(window)).toBe(tokens);
});

/** Sizes are tokens; a window of 1,000 fires at 800. */
function run(drawing: string, given: Readonly<Record<string, unknown>> = {}, change = drawColumns(drawing)) {
  const specs = crushPolicy.settings("current", { window: 1000, agent: "crush" });
  const settings = resolveSettings(specs, { summaryTokens: 50, ...given });
  return replay(countedBySize(change, "bytes-4"), crushPolicy, settings, { window: 1000, counting: "estimate" })
    .compactions;
}

it("a call without a result is sent with an error of 28 tokens", () => {
  const settings = resolveSettings(crushPolicy.settings("current", { window: 1000, agent: "crush" }), {});
  const contexts = ["u100 c50 r5 u10 a1", "u100 c50 u10 a1"].map((drawing) => {
    const recording = countedBySize(drawColumns(drawing), "bytes-4");
    return Array.from(replay(recording, crushPolicy, settings, { window: 1000, counting: "estimate" }).context);
  });
  expect(contexts).toEqual([
    [100, 165],
    [100, 188],
  ]);
});

describe("a compaction", () => {
  it("fires when prompt and answer reach the trigger", () => {
    expect(run("u700 a99 u1 a1")).toEqual([]);
    expect(run("u700 a100 u1 a1")).toMatchObject([{ request: 1 }]);
  });

  it("between turns replaces everything but the next prompt", () => {
    expect(run("u700 a100 u10 a1")).toMatchObject([{ request: 1, tokensAfter: 60, summaryCallTokens: 800 }]);
  });

  it("within a turn repeats its prompt in a sentence of 24 tokens", () => {
    expect(run("u300 c499 r400 a1")).toEqual([]);
    expect(run("u300 c500 r400 a1")).toMatchObject([{ request: 1, kept: [], tokensAfter: 50 + 324 }]);
  });

  it("wraps the repeated prompt again if the same turn is compacted again", () => {
    const compactions = run("u300 c500 r400 c426 r100 a1");
    expect(compactions.map(({ added }) => added.map(({ tokens }) => tokens))).toEqual([
      [50, 324],
      [50, 348],
    ]);
  });

  it("keeps the history if the summary call fails, and accepts an empty summary", () => {
    expect(run("u700 a100 u10 a1", { failSummary: "always" })).toMatchObject([{ outcome: "failed" }]);
    expect(run("u700 a100 u10 a1", { failSummary: "empty" })).toMatchObject([{ outcome: "summary", tokensAfter: 10 }]);
  });

  it("ignores recorded cache-write tokens", () => {
    const columns = drawColumns("u700 a100 u1 a1");
    columns.requests.input[0] = 699;
    columns.requests.cacheWrite[0] = 1;
    expect(run("", {}, columns)).toEqual([]);
  });

  it("uses the window set in the model's configuration", () => {
    expect(run("u700 a100 u1 a1", { contextWindow: 2000 })).toEqual([]);
    expect(run("u1500 a100 u1 a1", { contextWindow: 2000 })).toMatchObject([{ request: 1 }]);
  });
});
