import { expect, it } from "vitest";
import { summaryPlan } from "./summary-calls";
import { UnitSums } from "./unit-sums";

const NOTHING = new UnitSums([0]);
const input = { turnPrefix: NOTHING, window: 100_000, maxHistoryShare: 0.5, tokensBefore: 0, previousSummary: 0 };

it("a call's share depends only on messages left after the oldest are summarised separately", () => {
  // Forty messages of 1,000, and two of 15,000.
  const history = new UnitSums([...Array.from({ length: 41 }, (_, at) => at * 1000), 55_000, 70_000]);
  const plan = summaryPlan({
    ...input,
    history,
    maxHistoryShare: 0.3,
    tokensBefore: 200_000,
    summary: 10,
    current: false,
  });
  expect(plan.prunedMessages).toBe(40);
  // Two messages of 15 % of the window each, 18 % with the margin: the share is at its minimum.
  expect(plan.chunkShare).toBeCloseTo(0.15, 12);
});

it("the plan counts calls and results as separate messages, even though they stay together", () => {
  // Two responses with a result each make four messages, so the history is summarised in halves that are merged.
  const plan = summaryPlan({
    ...input,
    history: new UnitSums([0, 20_000, 40_000], [0, 2, 4]),
    summary: 10,
    current: true,
  });
  expect(plan).toMatchObject({ calls: 3, tokens: 40_000 + 20 });
  // Three messages are too few for that.
  const few = summaryPlan({
    ...input,
    history: new UnitSums([0, 20_000, 40_000], [0, 2, 3]),
    summary: 10,
    current: true,
  });
  expect(few).toMatchObject({ calls: 2, tokens: 40_000 + 10 });
});
