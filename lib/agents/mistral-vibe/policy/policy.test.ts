import { expect, it } from "vitest";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import { vibePolicy } from "./policy";

/** Sizes are tokens. */
function run(drawing: string, given: Readonly<Record<string, unknown>> = {}) {
  const specs = vibePolicy.settings("v2.18.4", { window: 1000, agent: "mistral-vibe" });
  const settings = resolveSettings(specs, { summaryTokens: 50, autoCompactLimit: 800, ...given });
  const columns = countedBySize(drawColumns(drawing), "bytes-4");
  return replay(columns, vibePolicy, settings, { window: 1000, counting: "estimate" }).compactions;
}

it("a compaction fires at the limit, whatever the window, and never at 0", () => {
  expect(run("u10 a789 u500 a1")).toEqual([]);
  expect(run("u10 a790 u1 a1")).toMatchObject([{ request: 1 }]);
  expect(run("u10 a790 u1 a1", { autoCompactLimit: 0 })).toEqual([]);
});

it("a compaction keeps all prompts, also the next one, and adds the summary after them", () => {
  const [compaction] = run("u10 x7 a1 u20 c100 r700 a1 u30 a1");
  expect(compaction).toMatchObject({ tokensAfter: 10 + 20 + 30 + 50, summaryCallTokens: 869 });
});

/** `collect_prior_user_messages` of the cited release kept these sizes when it was run on texts of four characters per token. */
it.each([
  [100, [30, 40, 30]],
  [71, [1, 40, 30]],
  [70, [40, 30]],
  [10, [10]],
])("a budget of %i tokens keeps prompts of %j", (userMessageTokens, sizes) => {
  const [compaction] = run("u30 a1 u40 a800 u30 a1", { userMessageTokens });
  expect(compaction?.tokensAfter).toBe(sizes.reduce((sum, size) => sum + size, 50));
});

it("an empty summary is accepted, and a failed call keeps the history", () => {
  expect(run("u10 a790 u1 a1", { failSummary: "empty" })).toMatchObject([{ outcome: "summary", tokensAfter: 11 }]);
  expect(run("u10 a790 u1 a1", { failSummary: "always" })).toMatchObject([{ outcome: "failed" }]);
});
