import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ItemIndex } from "../../base/units";
import { KIND } from "../../columns/columns";
import { countedBySize } from "../../columns/token-columns";
import { arbitraryDrawing } from "../../testing/arbitrary";
import { drawColumns } from "../../testing/draw";
import type { Compaction, ContextView, Policy, PolicyRun } from "../policy/policy";
import { resolveSettings } from "../policy/settings";
import { replay } from "../replay";
import { itemsAt } from "../simulation/positions";
import { customPolicy } from "./custom";

const NOTHING = { keepRecentTokens: 0, summaryTokens: 5 };

function compactionsOf(drawing: string, given: Record<string, unknown> = NOTHING, policy: Policy = customPolicy) {
  const columns = drawColumns(drawing);
  const settings = resolveSettings(customPolicy.settings("default", { window: 1000, agent: null }), given);
  const options = { window: 1000, counting: "estimate" } as const;
  return replay(countedBySize(columns, "bytes-4"), policy, settings, options).compactions;
}

describe("the last message under the custom policy", () => {
  // Rows are counted from 1: row 0 is the empty overhead.
  it("is kept even if it alone exceeds the budget", () => {
    expect(compactionsOf("u100 a100 u700 a1")).toMatchObject([{ request: 1, kept: [3], tokensAfter: 705 }]);
    expect(compactionsOf("u100 a100 u300+400 a1")).toMatchObject([{ request: 1, kept: [3, 4] }]);
    expect(compactionsOf("u900 a1")).toMatchObject([{ request: 0, kept: [1], shrunk: false }]);
  });

  it("is kept with the call that it answers, and with the whole response that made the call", () => {
    expect(compactionsOf("u100 a5 c10 r700 a1")).toMatchObject([{ request: 1, kept: [2, 3, 4] }]);
    expect(compactionsOf("u100 | c10 c20 r300 r400 a1")).toMatchObject([{ request: 1, kept: [2, 3, 4, 5] }]);
  });

  it("is kept with its call even if only the result fits the budget", () => {
    const given = { keepRecentTokens: 60, summaryTokens: 1 };
    expect(compactionsOf("u700 c100 r50 a1", given)).toMatchObject([{ request: 1, kept: [2, 3], droppedItems: 1 }]);
  });

  it("is kept from its call on if its result comes late", () => {
    expect(compactionsOf("u100 | c10 u20 | a30 u700 r40 a1")).toMatchObject([{ request: 2, kept: [2, 3, 4, 5, 6] }]);
  });

  it("is dropped if an earlier compaction dropped its call, and the next message is kept", () => {
    // The call comes before the second response, its result after it.
    const [first, second] = compactionsOf("u500 c300 u100 | a200 u600 r50 a1");
    expect(first).toMatchObject({ request: 1, kept: [3] });
    expect(second).toMatchObject({ request: 2, kept: [5] });
  });

  it("excludes the result of a dropped call, even if older messages are kept", () => {
    // The first typed message stays in front of the call of 59, which the second compaction drops: its result comes later, and leaves at the third.
    const given = { triggerShare: 0.1, keepRecentTokens: 500, keepUserTokens: 200, summaryTokens: 300 };
    const [, second, third] = compactionsOf("u0 | c0 c0 c59 r258 r172 a7 a5 | c0 r0 | c0 ", given);
    expect(second).toMatchObject({ request: 2, kept: [1, 7, 8] });
    expect(third).toMatchObject({ request: 3, kept: [1, 7, 8, 9] });
  });

  it("is kept with earlier typed messages, which have a budget of their own", () => {
    const given = { ...NOTHING, keepUserTokens: 30 };
    expect(compactionsOf("u40 a100 | c10 r700 a1", given)).toMatchObject([{ kept: [1, 3, 4], truncated: [[1, 30]] }]);
  });
});

/** The newest message of the context that can be kept: results whose call has left cannot. */
function lastMessage({ items, columns }: ContextView): readonly ItemIndex[] {
  const isOrphan = (item: ItemIndex) => {
    const call = columns.kind[item] === KIND.tool_result ? (columns.pair[item] ?? -1) : -1;
    return call >= 0 && !items.has(call);
  };
  const rows = Array.from(items.list()).filter((item) => item < columns.length && !isOrphan(item));
  const last = rows.at(-1);
  return last === undefined ? [] : rows.filter((item) => columns.message[item] === columns.message[last]);
}

it("every compaction keeps the last message with its calls, and no result without a call", () => {
  let looked = 0;
  const given = fc.record({
    triggerShare: fc.constantFrom(0.1, 0.4, 0.8),
    keepRecentTokens: fc.constantFrom(0, 50, 500),
    keepRecentMessages: fc.constantFrom(0, 1, 3),
    keepUserTokens: fc.constantFrom(0, 200),
    clearToolResultsAfter: fc.constantFrom(0, 2),
    summaryTokens: fc.constantFrom(1, 300),
  });
  const checked = (view: ContextView, { outcome, kept: positions }: Compaction) => {
    if (outcome !== "summary") return;
    const kept = itemsAt(view, positions);
    const last = lastMessage(view);
    const callOf = (item: ItemIndex) =>
      view.columns.kind[item] === KIND.tool_result ? (view.columns.pair[item] ?? -1) : -1;
    expect(kept).toEqual(expect.arrayContaining([...last, ...last.map(callOf).filter((call) => call >= 0)]));
    expect(kept.filter((item) => callOf(item) >= 0 && !kept.includes(callOf(item)))).toEqual([]);
    looked += 1;
  };
  const begin: Policy["begin"] = (plan) => {
    const run = customPolicy.begin(plan);
    const before: PolicyRun["before"] = (view) => {
      const compaction = run.before(view);
      if (compaction !== undefined) checked(view, compaction);
      return compaction;
    };
    return { before };
  };
  const property = fc.property(arbitraryDrawing, given, (drawing, settings) => {
    compactionsOf(drawing, settings, { ...customPolicy, begin });
  });
  fc.assert(property, { numRuns: 300 });
  expect(looked).toBeGreaterThan(300);
});
