import { describe, expect, it, test } from "vitest";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { scheduledPolicy } from "@/lib/core/compaction/policies/scheduled";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import { openHandsPolicy } from "./policy";

/** Sizes are tokens. The summary has 50. */
function run(
  drawing: string,
  given: Readonly<Record<string, unknown>> = {},
  { preset = "current", policy = openHandsPolicy, window = 1_000_000, own = false } = {},
) {
  const specs = openHandsPolicy.settings(preset, { window, agent: "openhands" });
  const settings = resolveSettings(specs, { summaryTokens: 50, maxEvents: 20, ...given });
  const columns = countedBySize(drawColumns(drawing), "bytes-4");
  return replay(columns, policy, settings, { preset, window, counting: "estimate", own }).compactions;
}

const PAIRS = (count: number) => "c1 r2 ".repeat(count);

/**
 * Tokens of the kept events, without the system prompt: `LLMSummarizingCondenser.condense` of the cited release was run on the same events, with
 * events and a model made for it.
 */
describe("the condenser of the SDK", () => {
  test.each([
    ["everything at the limit", `u9 ${PAIRS(9)}`, {}, undefined],
    ["half of the limit", `u9 ${PAIRS(10)}`, {}, 18],
    ["no half of a pair", `u9 u8 ${PAIRS(9)}`, {}, 18],
    ["no part of a batch", `u9 ${"c1 c1 r2 r2 ".repeat(5)}`, {}, 15],
    ["not even the newest batch", `u9 ${PAIRS(1)}c1 c1 c1 r2 r2 r2 ${"c1 c1 c1 c1 r2 r2 r2 r2 ".repeat(2)}`, {}, 9],
    ["no part of a loop that begins with thinking", `u9 t5 ${PAIRS(10)}`, {}, 9],
    ["no part of a later loop", `u9 ${PAIRS(5)}u8 t5 ${PAIRS(5)}`, {}, 9],
    ["loops that each begin with thinking", `u9 ${`t5 ${PAIRS(1)}`.repeat(10)}`, {}, 33],
    ["a tail alone", `u9 ${PAIRS(10)}`, { keepFirst: 0 }, 12],
    ["first events to the end of a pair", `u9 ${PAIRS(10)}`, { keepFirst: 5 }, 21],
    ["many first events", `u9 ${PAIRS(10)}`, { keepFirst: 8 }, 18],
    ["half of the tokens", `u100 ${"c10 r90 ".repeat(8)}c10 r91 `, { maxTokens: 1000, maxEvents: 100 }, 401],
    ["less than half if a pair is large", "u100 c10 r500 c10 r90 c10 r290 ", { maxTokens: 1000 }, 400],
    ["no pair that is too large", "u100 c10 r90 c10 r90 c10 r700 ", { maxTokens: 1000 }, 100],
  ])("keeps %s", (_name, events, given, tokens) => {
    const [compaction] = run(`${events}a1`, given);
    expect(compaction?.tokensAfter).toBe(tokens === undefined ? undefined : tokens + 50);
  });

  it("does not count the events of an incomplete response in its own recordings", () => {
    const drawing = `u9 ${PAIRS(8)}c5 c5 r7 u8 a1 | a1`;
    expect(run(drawing, {}, { own: true })).toEqual([]);
    // In other recordings, both calls and the result are events: 22 instead of 19.
    expect(run(drawing)).toHaveLength(1);
    const whole = { own: true, policy: scheduledPolicy(openHandsPolicy, new Set([9])) };
    // Half of 19 events without the system prompt and the first one, less one: the prompt of 8, and the pairs before it.
    expect(run(drawing, {}, whole)).toMatchObject([{ tokensBefore: 9 + 8 * 3 + 8 }]);
  });

  it("summarises an earlier summary too, and always keeps the first events", () => {
    expect(run(`u9 ${PAIRS(16)}a1`)).toMatchObject([{ tokensAfter: 18 + 50 }, { tokensAfter: 18 + 50 }]);
  });

  test.each([
    [4, 12],
    [2, 9],
    [6, 15],
  ])("keeps half of %i pairs in a scheduled compaction", (pairs, tokens) => {
    const policy = scheduledPolicy(openHandsPolicy, new Set([pairs]));
    expect(run(`u9 ${PAIRS(pairs)}a1`, {}, { policy })).toMatchObject([{ tokensAfter: tokens + 50 }]);
  });

  it("keeps the events after a failed call if only their number fired it, else summarises all", () => {
    expect(run(`u9 ${PAIRS(10)}a1`, { failSummary: 1 })).toMatchObject([{ outcome: "failed" }]);
    const large = "u100 c10 r500 c10 r90 c10 r300 a1";
    expect(run(large, { maxTokens: 1000, failSummary: 1 })).toMatchObject([{ outcome: "summary", tokensAfter: 50 }]);
    expect(run(large, { maxTokens: 1000, failSummary: "always" })).toMatchObject([{ outcome: "failed" }]);
  });

  it("sends the beginnings of results and messages to the summary call, but no calls or thinking", () => {
    const [compaction] = run(`u9 t9 c400 r300 ${PAIRS(9)}a1`);
    // The loop of ten pairs is forgotten: 504 for the prompt, 18 for each event, 125 of the first result, 2 of each other.
    expect(compaction?.summaryCallTokens).toBe(504 + 18 * 20 + 125 + 9 * 2);
  });
});

/** Computed by hand from the source. */
describe("the condensers before the SDK", () => {
  const old = { preset: "v0.62.0" };

  it("count a prompt twice, and keep the newest events even if they begin with a result", () => {
    expect(run(`u9 ${PAIRS(8)}c1 a1`, { keepFirst: 3 }, old)).toEqual([]);
    // 21 events, of which the newest six stay: three pairs.
    expect(run(`u9 ${PAIRS(9)}a1`, { keepFirst: 3 }, old)).toMatchObject([{ tokensAfter: 9 + 3 * 3 + 50 }]);
    // The newest five begin with a result.
    expect(run(`u9 ${PAIRS(9)}a1`, { keepFirst: 4 }, old)).toMatchObject([{ tokensAfter: 9 + 2 * 3 + 50 }]);
  });

  it("replace the summary, and keep the history if the call fails", () => {
    const given = { keepFirst: 3 };
    expect(run(`u9 ${PAIRS(15)}a1`, given, old)).toMatchObject([{ tokensAfter: 68 }, { tokensAfter: 68 }]);
    expect(run(`u9 ${PAIRS(9)}a1`, { failSummary: "always" }, old)).toMatchObject([{ outcome: "failed" }]);
  });

  it("keep the prompt and half of the rest without a summary after a refused request", () => {
    const compactions = run("u100 x50 c10 r290 c10 r290 c10 r290 a1", {}, { ...old, window: 1000 });
    expect(compactions).toMatchObject([
      { outcome: "trim", trigger: "overflow", tokensAfter: 100 + 50 + 300, summaryCallTokens: 0 },
    ]);
  });
});
