import { describe, expect, it, test } from "vitest";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import { rooPolicy } from "./policy";

/** The smallest total at which `willManageContext` of the cited commit returned true when it was run. */
test.each([
  [128_000, {}, 107_009],
  [200_000, {}, 171_809],
  [200_000, { condensePercent: 80 }, 160_000],
  [200_000, { condensePercent: 5 }, 10_000],
  [200_000, { condensePercent: 80, autoCondense: false }, 171_809],
  [200_000, { maxOutputTokens: 64_000 }, 116_001],
  [131_072, { condensePercent: 75 }, 98_304],
  [333_333, { condensePercent: 33 }, 110_000],
  [1_000_000, {}, 891_809],
])("a window of %i with %j fires at %i", (window, given, tokens) => {
  const settings = resolveSettings(rooPolicy.settings("current", { window, agent: "roo-code" }), given);
  expect(rooPolicy.threshold?.({ preset: "current", settings, window })).toBe(tokens);
});

/** Sizes are tokens; a window of 1,000 fires at 801. */
function run(drawing: string, given: Readonly<Record<string, unknown>> = {}, preset = "current") {
  const specs = rooPolicy.settings(preset, { window: 1000, agent: "roo-code" });
  const settings = resolveSettings(specs, { summaryTokens: 50, maxOutputTokens: 100, ...given });
  const columns = countedBySize(drawColumns(drawing), "bytes-4");
  return replay(columns, rooPolicy, settings, { preset, window: 1000, counting: "estimate" }).compactions;
}

describe("a summary", () => {
  it("fires when the last request, its answer and the new message reach the limit", () => {
    expect(run("u700 a50 u50 a1")).toEqual([]);
    expect(run("u700 a50 u51 a1")).toMatchObject([{ request: 1 }]);
  });

  it("replaces everything, even results about to be sent", () => {
    expect(run("u300 c100 r500 a1")).toMatchObject([{ request: 1, kept: [], tokensAfter: 50, summaryCallTokens: 900 }]);
  });

  it("before v3.43.0 keeps the first message and the newest three with their call", () => {
    const [compaction] = run("u10 x5 c10 r20 c30 r40 a600 u100 a1", {}, "v3.42.0");
    expect(compaction).toMatchObject({ tokensAfter: 15 + 50 + 30 + 40 + 600 + 100, summaryCallTokens: 15 + 10 + 20 });
  });
});

/** Messages, and how many of them `truncateConversation` of the cited commit hid. */
test.each([
  [3, 0],
  [5, 2],
  [7, 2],
  [9, 4],
  [21, 10],
])("of %i messages a truncation hides %i", (messages, hidden) => {
  const pairs = "a1 u1 ".repeat((messages - 3) / 2);
  const [compaction] = run(`u1 ${pairs} a900 u1 a1`, { autoCondense: false });
  expect(compaction?.tokensAfter).toBe(hidden === 0 ? undefined : messages - 1 + 900 - hidden + 17);
});

it.each(["always", "empty"])("a failed call (%s) leads to a truncation only above the higher limit", (failSummary) => {
  const given = { failSummary, condensePercent: 50 };
  expect(run("u1 a1 u1 a600 u1 a1", given)).toMatchObject([{ outcome: "failed" }]);
  expect(run("u1 a1 u1 a900 u1 a1", given)).toMatchObject([
    { outcome: "trim", tokensAfter: 1 + 900 + 1 + 17, summaryCallTokens: 904 },
  ]);
});
