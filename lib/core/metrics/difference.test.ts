import { expect, test } from "vitest";
import { differences, isBest, METRICS } from "./difference";
import type { ReplayFigures } from "./figures";

const BASE: ReplayFigures = {
  compactions: 2,
  peak: 900,
  tokensSent: 5000,
  tokensRewritten: 300,
  summaryCallTokens: 0,
  requestsOverWindow: 0,
  requestsNearWindow: 3,
  shortestCycle: 7,
  keptTokens: 100,
};

function of(metric: string, ...runs: readonly Partial<ReplayFigures>[]) {
  const found = differences(runs.map((run) => ({ ...BASE, ...run }))).find((row) => row.metric === metric);
  if (found === undefined) throw new Error(`no metric ${metric}`);
  return found;
}

test("every figure has a row, in the order of the runs", () => {
  const rows = differences([BASE, { ...BASE, peak: 800 }]);
  expect(rows.map(({ metric }) => metric).sort()).toEqual(Object.keys(BASE).sort());
  expect(rows).toHaveLength(METRICS.length);
  expect(rows.find(({ metric }) => metric === "peak")).toEqual({ metric: "peak", values: [900, 800], best: 1 });
});

test("less is better, but for what was kept and for how long a cycle lasts", () => {
  expect(of("tokensSent", {}, { tokensSent: 4000 }, { tokensSent: 6000 }).best).toBe(1);
  expect(of("keptTokens", {}, { keptTokens: 90 }, { keptTokens: 300 }).best).toBe(2);
  expect(of("shortestCycle", { shortestCycle: null }, {}, { shortestCycle: 9 }).best).toBe(2);
});

test("of equals the first is the best, and all of them are marked unless nothing differs", () => {
  const tied = of("compactions", { compactions: 4 }, {}, {});
  expect(tied.best).toBe(1);
  expect([0, 1, 2].map((run) => isBest(tied, run))).toEqual([false, true, true]);
  const same = of("peak", {}, {});
  expect([same.best, isBest(same, 0)]).toEqual([0, false]);
});

test("a figure that only one has is compared with nothing", () => {
  const alone = of("summaryCallTokens", { summaryCallTokens: null }, { summaryCallTokens: 9000 });
  expect([alone.best, isBest(alone, 1)]).toEqual([1, false]);
  const three = of(
    "summaryCallTokens",
    { summaryCallTokens: null },
    { summaryCallTokens: 9 },
    { summaryCallTokens: 8 },
  );
  expect([0, 1, 2].map((run) => isBest(three, run))).toEqual([false, false, true]);
});

test("a figure that nobody has has no best", () => {
  const none = of("shortestCycle", { shortestCycle: null }, { shortestCycle: null });
  expect(none).toMatchObject({ values: [null, null], best: null });
  expect(isBest(none, 0)).toBe(false);
});
