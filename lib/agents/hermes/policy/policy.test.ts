import { describe, expect, it, test } from "vitest";
import { range } from "@/lib/core/base/numbers";
import { FLAG } from "@/lib/core/columns/columns";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { scheduledPolicy } from "@/lib/core/compaction/policies/scheduled";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import { hermesPolicy } from "./policy";

/** Golden cases: the class of the cited release was run in Python on messages of the same sizes. */

test.each([
  [200_000, 0.5, 0, 100_000],
  [64_000, 0.5, 0, 54_400],
  [65_536, 0.5, 0, 64_000],
  [128_001, 0.5, 0, 64_000],
  [131_072, 0.85, 0, 111_411],
  [200_000, 0.5, 65_536, 67_232],
  [1_000_000, 0.2, 0, 200_000],
  [8192, 0.5, 0, 6963],
  [1000, 0.5, 0, 850],
  [1_048_576, 0.5, 64_000, 492_288],
  [200_000, 0.5, 150_000, 42_500],
  [200_000, 0.5, 250_000, 100_000],
])(
  "a window of %i with the threshold %d and %i for the answer fires at %i",
  (window, triggerShare, maxOutputTokens, tokens) => {
    const specs = hermesPolicy.settings("v0.18.0", { window, agent: "hermes" });
    const settings = resolveSettings(specs, { triggerShare, maxOutputTokens });
    expect(hermesPolicy.threshold?.({ preset: "v0.18.0", settings, window })).toBe(tokens);
  },
);

/** Sizes are tokens; the window fires at 6,963, and the newest messages have a budget of 1,392. */
function run(drawing: string, given: Readonly<Record<string, unknown>> = {}, at?: readonly number[]) {
  const window = 8192;
  const specs = hermesPolicy.settings("v0.18.0", { window, agent: "hermes" });
  const settings = resolveSettings(specs, { summaryTokens: 50, ...given });
  const columns = countedBySize(drawColumns(drawing), "bytes-4");
  const policy = at === undefined ? hermesPolicy : scheduledPolicy(hermesPolicy, new Set(at));
  return replay(columns, policy, settings, { window, counting: "estimate" }).compactions;
}

const PAIRS = (count: number) => "c10 r90 ".repeat(count);

/** Every item is a message; the first one is in this row, behind the overhead. */
const FIRST = 1;

it("a cut counts stored sizes, and removes unpaired calls and, in its own recordings, results", () => {
  const specs = hermesPolicy.settings("v0.18.0", { window: 8192, agent: "hermes" });
  const settings = resolveSettings(specs, { summaryTokens: 50, protectFirst: 0 });
  const policy = scheduledPolicy(hermesPolicy, new Set([21]));
  const of = (own: boolean) => {
    const counted = countedBySize(drawColumns(`u100 ${PAIRS(20)}u10 r1200 u10 c300 u10 a1`), "bytes-4");
    counted.columns.flags[43] = FLAG.ORPHAN | FLAG.MESSAGE_START;
    return replay(counted, policy, settings, { window: 8192, counting: "estimate", own });
  };
  const [own, other] = [of(true), of(false)];
  // The result of 1,200 is not sent; the call of 300 has a stand-in of ⌈48 ÷ 4⌉ = 12 tokens.
  expect([own, other].map(({ compactions: [one] }) => one?.tokensBefore)).toEqual([2442, 3642]);
  // From the end 20 + 338 + 20 + 1,210 + 20 + 3 × 148 = 2,052 of 2,088, in both; the pair that exceeds it stays whole.
  expect(own.compactions[0]?.kept).toEqual([...range(34, 43), 44, 46]);
  expect(other.compactions[0]?.kept).toEqual([...range(34, 45), 46]);
});

describe("a first compaction", () => {
  test.each([
    ["the first messages and a budget", `u100 ${PAIRS(40)}`, {}, [3, 43, 81], [2, ...evens(44, 60)]],
    ["a few newest messages, whatever their size", `u100 ${PAIRS(5)}c10 r3000 c10 r3000 `, {}, [3, 5, 15], []],
    ["only a few messages even if the budget holds all", `u100 ${PAIRS(10)}`, {}, [3, 11, 21], []],
    ["the last prompt", `u100 c10 r90 a5 u50 ${PAIRS(30)}`, {}, [3, 4, 65], [2, ...evens(6, 44)]],
    ["messages after the last answer", `u100 a50 u50 ${PAIRS(30)}`, {}, [3, 25, 63], evens(26, 42)],
    [
      "up to one and a half times the budget",
      `u100 a10 u50 a20 | ${"c10 r600 ".repeat(14)}`,
      {},
      [3, 4, 32],
      [5, 7, 9, 11],
    ],
    ["calls whose arguments it shortens", `u100 ${"c300 r20 ".repeat(30)}`, {}, [3, 49, 61], [1]],
    [
      "no first messages, and a prompt only with its answer",
      `u100 ${PAIRS(40)}`,
      { protectFirst: 0 },
      [0, 3, 81],
      undefined,
    ],
    ["a larger budget", `u100 ${PAIRS(40)}`, { retain: 0.5 }, [3, 33, 81], [2]],
    ["a large prompt", `u100 ${PAIRS(12)}u5000 `, {}, [3, 17, 26], [2]],
    ["an answer before the newest ones", `u100 a10 u10 a3000 u10 ${PAIRS(3)}`, {}, [3, 4, 11], []],
  ] as const)("keeps %s", (_name, drawing, given, [head, tail, end], shortened) => {
    const requests = drawing.split(/(?<=r\d+ |u\d+ |\| )/).filter((part) => /[ac]/.test(part)).length;
    const [compaction] = run(`${drawing}a1`, given, [requests]);
    const kept = [...range(0, head), ...range(tail, end)].map((message) => message + FIRST);
    expect(compaction?.kept).toEqual(kept);
    const changed = compaction?.truncated.map(([item]) => item - FIRST);
    if (shortened !== undefined) expect(changed).toEqual(shortened);
  });

  it("shortens a result to a line and long arguments to their beginning", () => {
    const [compaction] = run(`u100 ${PAIRS(40)}a1`, {}, [40]);
    expect(compaction?.truncated[0]).toEqual([FIRST + 2, 15]);
  });

  it("requires more than four messages after the first ones", () => {
    expect(run(`u100 ${PAIRS(3)}a1`, {}, [3])).toEqual([]);
  });
});

function evens(from: number, to: number): readonly number[] {
  return Array.from({ length: (to - from) / 2 + 1 }, (_, index) => from + 2 * index);
}

/** Kept items; a summary that was merged into a message is an item of its own. */
test.each([
  ["the earlier summary too, if the prompt is before it", `u100 ${PAIRS(20)}`, PAIRS(20), [20, 40], 77],
  ["a prompt before the earlier summary", `u100 a50 u50 ${PAIRS(30)}`, PAIRS(25), [31, 56], 90],
  ["no earlier summary before the last prompt", `u100 ${PAIRS(20)}`, `a50 u50 a10 u10 ${PAIRS(15)}`, [20, 37], 38],
  ["the last answer before the earlier summary", `u100 a50 u50 a50 ${PAIRS(20)}`, PAIRS(20), [21, 41], 80],
] as const)("a second compaction keeps %s", (_name, before, after, at, items) => {
  const [, second] = run(`${before}${after}a1`, {}, at);
  expect(second?.keptItems).toBe(items);
});

describe("a replay", () => {
  it("fires at the trigger", () => {
    expect(run(`u100 ${PAIRS(60)}u862 a1`)).toEqual([]);
    expect(run(`u100 ${PAIRS(60)}u863 a1`)).toMatchObject([{ request: 60, outcome: "summary" }]);
  });

  it("stops compacting after two compactions that save little, until a request is refused", () => {
    const compactions = run(`u100 a10 u10 a10 u10 a10 u6900 ${"a10 u10 ".repeat(6)}u2000 a1`);
    expect(compactions.map(({ trigger }) => trigger)).toEqual(["threshold", "threshold", "overflow"]);
  });

  it("replaces a failed summary by a list of the dropped messages, unless `abortOnFailure` is on", () => {
    const drawing = `u100 ${PAIRS(60)}u863 a1`;
    expect(run(drawing, { failSummary: "empty" })).toMatchObject([{ outcome: "fallback", summaryTokens: 0 }]);
    expect(run(drawing, { failSummary: "always", abortOnFailure: true })).toMatchObject([{ outcome: "failed" }]);
  });
});
