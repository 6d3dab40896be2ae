import { expect, it, test } from "vitest";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import { copilotPolicy } from "./policy";

/** The documented share of a window, rounded up by hand. */
test.each([
  [64_000, 0.8, 51_200],
  [128_000, 0.8, 102_400],
  [200_001, 0.8, 160_001],
  [128_000, 0.5, 64_000],
])("a window of %i with a threshold of %d fires at %i", (window, triggerShare, tokens) => {
  const specs = copilotPolicy.settings("as-documented", { window, agent: "copilot-cli" });
  const settings = resolveSettings(specs, { triggerShare });
  expect(copilotPolicy.threshold?.({ preset: "as-documented", settings, window })).toBe(tokens);
});

/** Sizes are tokens; a window of 1,000 fires at 800. */
function run(drawing: string, given: Readonly<Record<string, unknown>> = {}) {
  const specs = copilotPolicy.settings("as-documented", { window: 1000, agent: "copilot-cli" });
  const settings = resolveSettings(specs, { summaryTokens: 50, ...given });
  const columns = countedBySize(drawColumns(drawing), "bytes-4");
  return replay(columns, copilotPolicy, settings, { window: 1000, counting: "estimate" }).compactions;
}

it("a compaction fires when request and answer reach the share, and keeps the next prompt", () => {
  expect(run("u700 a99 u10 a1")).toEqual([]);
  expect(run("u700 a100 u10 a1")).toMatchObject([{ request: 1, tokensAfter: 60, summaryCallTokens: 800 }]);
});

it("a compaction within a turn summarises the results too", () => {
  expect(run("u700 c100 r50 a1")).toMatchObject([{ request: 1, tokensAfter: 50, summaryCallTokens: 850 }]);
});

it("a failed summary call keeps the history", () => {
  expect(run("u700 a100 u10 a1", { failSummary: "always" })).toMatchObject([{ outcome: "failed" }]);
});
