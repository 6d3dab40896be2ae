import { describe, expect, it, test } from "vitest";
import type { SweptPoint } from "@/lib/queries/replays/sweep";
import { allAlike, tableRows } from "./points";

function point(at: number, tokensSent: number, keptTokens: number): SweptPoint {
  const totals = {
    requests: 1,
    peak: 1,
    final: 1,
    tokensSent,
    summaryCallTokens: 0,
    tokensRewritten: 0,
    requestsOverWindow: 0,
  };
  return {
    set: { at },
    metrics: {
      ...totals,
      costUsd: null,
      compactions: 0,
      keptTokens,
      requestsNearWindow: 0,
      regret: null,
      bestUsd: null,
      neededAgain: null,
      neededAgainTokens: null,
      shortestCycle: null,
      idleCompactions: null,
      unusedIdle: null,
      keepAliveRequests: null,
      keepAliveUsd: null,
    },
    bands: {},
    costUsd: null,
    counted: { counting: "anchored", basis: "calibrated", calibration: null },
  };
}

const sweep = {
  points: [point(1, 50, 9), point(2, 10, 2), point(3, 40, 1), point(4, 10, 2)],
  front: [true, true, false, true],
};

test("the front is listed by tokens sent, with equal points combined", () => {
  const rows = tableRows(sweep, false);
  expect(rows.map(({ point: { set }, index, equal }) => [set.at, index, equal])).toEqual([
    [2, 1, 1],
    [1, 0, 0],
  ]);
});

test("the point of the user's own settings is listed after the front, unless it is on it", () => {
  const listed = (own: number) => tableRows(sweep, false, ({ set }) => set.at === own).map(({ index }) => index);
  expect([listed(3), listed(1)]).toEqual([
    [1, 0, 2],
    [1, 0],
  ]);
});

test("all points are listed in the order of the sweep", () => {
  expect(tableRows(sweep, true).map(({ point: { set } }) => set.at)).toEqual([1, 2, 3, 4]);
});

const alike = (keptTokens: number, compactions = 1) => ({ metrics: { keptTokens, compactions } });

describe("a set of equal points", () => {
  it("is described by the number of kept tokens", () => {
    expect(allAlike([alike(27_969), alike(27_969, 3)])).toEqual({ kind: "sameKept", tokens: 27_969 });
    expect(allAlike([alike(0), alike(0)])).toEqual({ kind: "sameKept", tokens: 0 });
  });

  it("is described as without compaction if no point compacts", () => {
    expect(allAlike([alike(0, 0), alike(0, 0)])).toEqual({ kind: "noneCompacts" });
  });

  it("has no description if points differ, or if there is only one", () => {
    expect(allAlike([alike(27_969), alike(27_970)])).toBeUndefined();
    expect(allAlike([alike(5)])).toBeUndefined();
    expect(allAlike([])).toBeUndefined();
  });
});
