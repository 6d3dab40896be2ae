import { describe, expect, it, test } from "vitest";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import { kimiPolicy } from "./policy";

/** Window, ratio and reserve, and the smallest size at which `should_auto_compact` of the cited release returned true when it was run. */
test.each([
  [128_000, 0.85, 50_000, 78_000],
  [200_000, 0.85, 50_000, 150_000],
  [262_144, 0.85, 50_000, 212_144],
  [333_333, 0.85, 50_000, 283_333],
  [333_334, 0.85, 50_000, 283_334],
  [400_000, 0.5, 1000, 200_000],
  [1_000_000, 0.85, 50_000, 850_000],
  [1_000_000, 0.99, 1000, 990_000],
  [40_000, 0.85, 50_000, 0],
])("a window of %i fires with ratio %d and reserve %i at %i", (window, triggerShare, reserved, tokens) => {
  const specs = kimiPolicy.settings("current", { window, agent: "kimi-cli" });
  const settings = resolveSettings(specs, { triggerShare, reserved });
  expect(kimiPolicy.threshold?.({ preset: "current", settings, window })).toBe(tokens);
});

const WINDOW = 100_000;

/** Sizes are tokens; the window fires at 85,000. The kept messages were computed by hand from `SimpleCompaction.prepare`. */
function run(drawing: string, given: Readonly<Record<string, unknown>> = {}) {
  const specs = kimiPolicy.settings("current", { window: WINDOW, agent: "kimi-cli" });
  const settings = resolveSettings(specs, { reserved: 1000, summaryTokens: 50, ...given });
  const columns = countedBySize(drawColumns(drawing), "bytes-4");
  return replay(columns, kimiPolicy, settings, { window: WINDOW, counting: "estimate" }).compactions;
}

describe("a compaction", () => {
  it("fires when the last total and the new messages reach the trigger", () => {
    expect(run("u80000 a4998 u1 a1")).toEqual([]);
    expect(run("u80000 a4999 u1 a1")).toMatchObject([{ request: 1 }]);
  });

  it("keeps the newest two user and assistant messages after the summary", () => {
    const [compaction] = run("u80000 a4999 u1 a1");
    expect(compaction).toMatchObject({ tokensAfter: 50 + 4999 + 1, summaryCallTokens: 80_000 });
  });

  it("within a run keeps the last two responses with their results", () => {
    const [compaction] = run("u100 c50 r40000 c60 r45000 a1");
    expect(compaction).toMatchObject({
      request: 2,
      tokensAfter: 50 + 50 + 40_000 + 60 + 45_000,
      summaryCallTokens: 100,
    });
  });

  it("summarises texts and results, but neither calls nor thinking", () => {
    const [compaction] = run("u100 t7 c50 r85000 a3 u1 a1");
    expect(compaction?.summaryCallTokens).toBe(85_100);
  });

  it("does nothing unless messages precede the newest two", () => {
    expect(run("u90000 a1")).toEqual([]);
    expect(run("u10 c90000 r10 a1")).toEqual([]);
  });

  it("summarises an earlier summary too", () => {
    const compactions = run("u80000 a4999 u1 a85000 u1 a1");
    expect(compactions.map(({ summaryCallTokens }) => summaryCallTokens)).toEqual([80_000, 50 + 4999 + 1]);
  });

  it.each(["always", "empty"])("keeps the history if the summary call fails (%s)", (failSummary) => {
    expect(run("u80000 a4999 u1 a1", { failSummary })).toMatchObject([{ outcome: "failed" }]);
  });
});
