import { expect, it } from "vitest";
import { countedBySize } from "@/lib/core/columns/token-columns";
import type { ContextItems, ContextView, Policy } from "@/lib/core/compaction/policy/policy";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { type CountingMode, replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import { miniClaudeCodePolicy } from "./policy";

/** Sizes are tokens; the limit is 102,400. */
function run(drawing: string, counting: CountingMode = "estimate", policy: Policy = miniClaudeCodePolicy) {
  const columns = drawColumns(drawing);
  const specs = policy.settings("current", { window: 128_000, agent: "mini-claude-code" });
  const settings = resolveSettings(specs, { summaryTokens: 100 });
  const options = { preset: "current", window: 128_000, counting };
  return replay(countedBySize(columns, "bytes-4"), policy, settings, options);
}

it("`current` compares the summed inputs of a turn's steps, once per turn", () => {
  // Steps of 51,100 and 51,200 make 102,300, which is not above the limit.
  expect(run("u51100 c50 r50 a10 u1 a1").compactions).toEqual([]);
  expect(run("u51100 c50 r151 a10 u1 a1").compactions).toMatchObject([
    { request: 2, tokensBefore: 51_312, tokensAfter: 101, droppedItems: 4 },
  ]);
  // Only the steps of the turn that ended count, not those of another turn.
  expect(run("u51000 a100 u50 a100 u1 a1").compactions).toEqual([]);
});

it("a step counts its full input even if a later rewind removes part of it", () => {
  expect(run("u10 a10 u51100 c50 r200 <2 u1 a1").compactions).toEqual([]);
  expect(run("u10 a10 u51100 c50 r200 a5 <4 u1 a1").compactions).toMatchObject([{ request: 3, tokensBefore: 21 }]);
});

it("a step uses the provider's count while the replay follows the recording", () => {
  const drawing = "u100 c50 @60000 r100 a10 @42400 u1 a1";
  expect(run(drawing, "anchored").compactions).toEqual([]);
  expect(run(drawing.replace("42400", "42401"), "anchored").compactions).toMatchObject([{ request: 2 }]);
});

it("the comparison reads no item, however long the turn is", () => {
  let looks = 0;
  const watched = (items: ContextItems) =>
    new Proxy(items, {
      get: () => {
        looks += 1;
      },
    });
  const policy: Policy = {
    ...miniClaudeCodePolicy,
    begin: (plan) => {
      const run = miniClaudeCodePolicy.begin(plan);
      // Only the comparison must not read items; a compaction may.
      return {
        before: (view) => run.before(view.request < 51 ? new Proxy(view, { get: watchedItems }) : view),
      };
    },
  };
  function watchedItems(view: ContextView, name: keyof ContextView): unknown {
    return name === "items" ? watched(view.items) : view[name];
  }
  const steps = "c10 r90 ".repeat(50);
  expect(run(`u10 ${steps} a10 u1 a1`, "estimate", policy).compactions).toMatchObject([{ request: 51 }]);
  expect(looks).toBe(0);
});
