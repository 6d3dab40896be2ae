import { describe, expect, it, test } from "vitest";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import { dshPolicy } from "./policy";

/** `Math.floor` of the cited source's product. */
test.each([
  [128_000, 0.8, 102_400],
  [131_072, 0.8, 104_857],
  [200_000, 0.29, 57_999],
  [1_048_576, 0.5, 524_288],
])("a window of %i with the threshold %d fires at %i", (window, triggerShare, tokens) => {
  const settings = resolveSettings(dshPolicy.settings("current", { window, agent: "dsh" }), { triggerShare });
  expect(dshPolicy.threshold?.({ preset: "current", settings, window })).toBe(tokens);
});

/** Sizes are tokens; a window of 10,000 keeps `retain` tokens of the newest messages. */
function run(drawing: string, given: Readonly<Record<string, unknown>> = {}, window = 10_000) {
  const specs = dshPolicy.settings("current", { window, agent: "dsh" });
  const settings = resolveSettings(specs, { summaryTokens: 50, ...given });
  return replay(countedBySize(drawColumns(drawing), "bytes-4"), dshPolicy, settings, { window, counting: "estimate" })
    .compactions;
}

const PAIRS = (count: number) => "c10 r100 ".repeat(count);

/** Messages, and how many of them `selectCompactableRange` of the cited source replaced when it was run with its own count of their sizes. */
test.each([
  ["enough for the budget", `u100 ${PAIRS(10)}`, 160, 17],
  ["the last call with its result, whatever the budget", `u100 ${PAIRS(10)}`, 0, 19],
  ["two pairs that reach the budget", `u100 ${PAIRS(10)}`, 262, 17],
  ["a third pair if two do not reach the budget", `u100 ${PAIRS(10)}`, 263, 15],
  ["a result that reaches the budget, with its call", `u100 ${PAIRS(10)}`, 112, 19],
  ["all calls of a response", "u100 c10 c10 c10 r50 r50 r50 c10 c10 c10 r50 r50 r50 ", 160, 5],
  ["the last message and a large one before it", "u100 a700 u10 ", 160, 1],
  ["a large prompt", "u100 a10 c20 r5 u700 a20 u10 ", 160, 3],
  ["thinking, which counts", "u100 t50 a20 c20 r5 a20 u10 t20 a30 u5 ", 160, 1],
])("a compaction keeps %s", (_name, messages, retain, replaced) => {
  const window = 10_000;
  const specs = dshPolicy.settings("current", { window, agent: "dsh" });
  const settings = resolveSettings(specs, { summaryTokens: 1, keepRecentShare: retain / window });
  const columns = drawColumns(`${messages}a1`);
  const view = replay(countedBySize(columns, "bytes-4"), { ...dshPolicy, begin: (plan) => onlyLast(plan) }, settings, {
    window,
    counting: "estimate",
  });
  const first = view.compactions[0]?.kept[0] ?? 0;
  expect(columns.message[first]).toBe(replaced);

  function onlyLast(plan: Parameters<typeof dshPolicy.begin>[0]) {
    const own = dshPolicy.begin(plan);
    const last = columns.requests.length - 1;
    return {
      before: (state: Parameters<typeof own.before>[0]) => (state.request === last ? own.compact?.(state) : undefined),
    };
  }
});

describe("a step", () => {
  it("fires when the last response's total and the messages since reach the trigger", () => {
    // A new message counts 8 more: 4 for itself, and 4 for its block.
    expect(run("u5000 a2000 u991 a1")).toEqual([]);
    expect(run("u5000 a2000 u992 a1")).toMatchObject([{ request: 1, summaryCallTokens: 5000 + 451 }]);
  });

  it("first cuts long results, and makes no summary if that is enough", () => {
    expect(run("u2000 c1000 r5000 a1")).toMatchObject([
      { outcome: "trim", truncated: [[3, 1290]], tokensAfter: 3000 + 1290, summaryCallTokens: 0 },
    ]);
    expect(run("u2000 c4000 r2048 a1")).toMatchObject([{ outcome: "summary", truncated: [] }]);
    expect(run("u2000 c1000 r5000 a1", { prune: false })).toMatchObject([{ outcome: "summary", truncated: [] }]);
  });

  it("keeps the history with cut results if the call fails or the summary saves nothing", () => {
    const drawing = "u4000 a3000 c100 r3000 u1500 a1";
    expect(run(drawing, { failSummary: "empty" })).toMatchObject([{ outcome: "failed", truncated: [[4, 1290]] }]);
    expect(run("u5000 a2000 u1000 a1", { summaryTokens: 7000 })).toMatchObject([{ outcome: "failed" }]);
  });
});
