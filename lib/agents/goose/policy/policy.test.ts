import { describe, expect, it, test } from "vitest";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import { goosePolicy } from "./policy";
import { removedResults } from "./removal";

/** Window, trigger, and the smallest total whose share `check_if_compaction_needed` of the cited release finds above it. */
test.each([
  [128_000, 0.8, 102_401],
  [200_000, 0.8, 160_001],
  [200_000, 0.3, 60_001],
  [200_000, 0.05, 10_001],
  [131_072, 0.8, 104_858],
  [1_048_576, 0.55, 576_717],
  [8192, 0.8, 6554],
])("a window of %i tokens with the trigger %d fires at %i", (window, triggerShare, tokens) => {
  const specs = goosePolicy.settings("current", { window, agent: "goose" });
  const settings = resolveSettings(specs, { triggerShare });
  expect(goosePolicy.threshold?.({ preset: "current", settings, window })).toBe(tokens);
});

/** Number of results, percentage, and the results that `filter_tool_responses` of the cited release leaves out. */
test.each([
  [0, 50, []],
  [10, 0, []],
  [1, 10, []],
  [1, 100, []],
  [3, 50, [0]],
  [5, 20, [1]],
  [10, 10, [4]],
  [10, 20, [4, 5]],
  [10, 50, [2, 3, 4, 5, 6]],
  [9, 100, [0, 1, 2, 3, 4, 5, 6, 7]],
] as const)("of %i results, %i percent are removed from the middle outwards", (count, percent, removed) => {
  expect([...removedResults(count, percent)].toSorted((one, other) => one - other)).toEqual(removed);
});

it("a call without a result is not sent", () => {
  const settings = resolveSettings(goosePolicy.settings("current", { window: 1000, agent: "goose" }), {});
  const contexts = ["u100 a7 c50 r5 u10 a1 u10 a1", "u100 a7 c50 u10 a1 u10 a1"].map((drawing) => {
    const recording = countedBySize(drawColumns(drawing), "bytes-4");
    return Array.from(replay(recording, goosePolicy, settings, { window: 1000, counting: "estimate" }).context);
  });
  expect(contexts).toEqual([
    [100, 172, 183],
    [100, 117, 128],
  ]);
});

/** Sizes are tokens; a window of 1,000 fires above 800. The sentences after a summary have 75 and 80 tokens. */
function run(drawing: string, given: Readonly<Record<string, unknown>> = {}) {
  const specs = goosePolicy.settings("current", { window: 1000, agent: "goose" });
  const settings = resolveSettings(specs, { summaryTokens: 50, ...given });
  const columns = countedBySize(drawColumns(drawing), "bytes-4");
  return replay(columns, goosePolicy, settings, { window: 1000, counting: "estimate" }).compactions;
}

describe("a compaction", () => {
  it("fires when a turn begins after a response whose total is above the trigger", () => {
    expect(run("u700 a100 u1 a1")).toEqual([]);
    expect(run("u700 a101 u1 a1")).toMatchObject([{ request: 1, trigger: "threshold" }]);
  });

  it("summarises the whole history and the prompt, and repeats the prompt", () => {
    expect(run("u700 a101 u10 a1")).toMatchObject([{ tokensAfter: 50 + 75 + 10, summaryCallTokens: 811 }]);
  });

  it("does not fire within a turn as long as the request fits", () => {
    expect(run("u300 c501 r150 a1")).toEqual([]);
  });

  it("within a turn follows only a request that does not fit, and repeats the turn's prompt", () => {
    const [compaction] = run("u300 c301 r100 c100 r250 a1");
    expect(compaction).toMatchObject({ request: 2, trigger: "overflow", tokensAfter: 50 + 80 + 300 });
  });

  it("omits results from a summary call that does not fit, but never its only result", () => {
    expect(run("u300 c301 r100 c100 r250 a1")).toMatchObject([{ summaryCallTokens: 951 }]);
    expect(run("u300 c501 r200 a1")).toMatchObject([{ trigger: "overflow", outcome: "failed" }]);
  });

  it("sends neither thinking nor images to the summary call", () => {
    expect(run("u700 t50 a51 u10 a1")).toMatchObject([{ summaryCallTokens: 761 }]);
  });

  it("keeps the history if the summary call fails, and accepts an empty summary", () => {
    expect(run("u700 a101 u10 a1", { failSummary: "always" })).toMatchObject([{ outcome: "failed" }]);
    expect(run("u700 a101 u10 a1", { failSummary: "empty" })).toMatchObject([{ outcome: "summary", tokensAfter: 85 }]);
  });
});
