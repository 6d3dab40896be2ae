import { describe, expect, it, test } from "vitest";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import { copilotChatPolicy } from "./policy";

/** Computed by hand: 0.85 of the limit less the tools, rounded down; one token more triggers. The request also contains the tools. */
test.each([
  [128_000, {}, 108_801],
  [200_001, {}, 170_001],
  [128_000, { toolTokens: 20_000 }, 111_801],
  [128_000, { maxTokens: 64_000 }, 54_401],
  [128_000, { maxTokens: 64_000, toolTokens: 20_000 }, 57_401],
])("a window of %i with %j fires at %i", (window, given, tokens) => {
  const settings = resolveSettings(copilotChatPolicy.settings("v0.42.0", { window, agent: null }), given);
  expect(copilotChatPolicy.threshold?.({ preset: "v0.42.0", settings, window })).toBe(tokens);
});

/** Sizes are tokens; a window of 1,000 fires at 851. */
function run(drawing: string, given: Readonly<Record<string, unknown>> = {}) {
  const specs = copilotChatPolicy.settings("v0.42.0", { window: 1000, agent: null });
  const settings = resolveSettings(specs, { summaryTokens: 50, ...given });
  const columns = countedBySize(drawColumns(drawing), "bytes-4");
  return replay(columns, copilotChatPolicy, settings, { window: 1000, counting: "estimate" }).compactions;
}

describe("a summary", () => {
  it("at a turn's start keeps only its prompt", () => {
    expect(run("u400 a400 u50 a1")).toEqual([]);
    expect(run("u400 a400 u51 a1")).toMatchObject([{ request: 1, tokensAfter: 101, summaryCallTokens: 1650 + 800 }]);
  });

  it("within a turn of one round replaces the turns before it", () => {
    expect(run("u300 a300 u20 c31 r200 a1")).toMatchObject([{ tokensAfter: 50 + 251, summaryCallTokens: 1650 + 600 }]);
  });

  it("within a longer turn also replaces the prompt, and keeps the newest round", () => {
    expect(run("u300 c100 r200 c51 r200 a1")).toMatchObject([{ tokensAfter: 50 + 251, summaryCallTokens: 1650 + 600 }]);
  });

  it("is impossible if nothing but a summary precedes the newest round", () => {
    expect(run("u300 c100 r500 a1")).toEqual([]);
    expect(run("u300 c100 r200 c51 r750 a1")).toMatchObject([{ request: 2 }]);
    expect(run("u300 c100 r200 c51 r750 a10 c1 r1 a1").length).toBe(2);
  });

  it("keeps the history if its call fails or returns an empty text", () => {
    expect(run("u400 a400 u51 a1", { failSummary: "always" })).toMatchObject([{ outcome: "failed" }]);
    expect(run("u400 a400 u51 a1", { failSummary: "empty" })).toMatchObject([{ outcome: "failed" }]);
  });
});
