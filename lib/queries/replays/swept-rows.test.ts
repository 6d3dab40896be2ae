import { expect, it } from "vitest";
import type { SweptPoint } from "./sweep";
import { sweepRows, writtenPoints } from "./swept-rows";

/** The cost of a point, with its parts. */
const COST = {
  read: 1,
  write: 2,
  plain: 0,
  output: 0.5,
  total: 3.5,
  summaryCalls: 0,
  low: 3,
  high: 4,
  priced: true,
  lowerBound: false,
};

function point(at: number, tokensSent: number, keptTokens: number): SweptPoint {
  const totals = { requests: 9, peak: 100 + at, final: 1, tokensSent, summaryCallTokens: 5, tokensRewritten: 7 };
  const metrics = {
    compactions: at,
    keptTokens,
    regret: null,
    bestUsd: null,
    shortestCycle: null,
    idleCompactions: null,
    unusedIdle: null,
    keepAliveRequests: null,
    keepAliveUsd: null,
    requestsNearWindow: 0,
    neededAgain: null,
    neededAgainTokens: null,
  };
  return {
    set: { triggerShare: at / 10 },
    metrics: { ...totals, costUsd: COST.total, requestsOverWindow: 1, ...metrics },
    bands: {},
    costUsd: COST,
    counted: { counting: "anchored", basis: "recorded", calibration: null },
  };
}

it("points written in parts become the rows of one sweep, with the front marked", () => {
  const points = [point(0, 10, 10), point(1, 2 ** 40, 9), point(2, 20, 12), point(3, 20, 12)];
  const parts = [points.slice(0, 1), points.slice(1, 1), points.slice(1)].map((part) =>
    writtenPoints('a"}.jsonl', part),
  );
  expect([...sweepRows(parts)].map((row) => JSON.parse(row))).toEqual(
    points.map(({ set, counted, metrics }, at) => {
      const { compactions, keptTokens, shortestCycle: _, requestsNearWindow: _near, ...more } = metrics;
      const {
        idleCompactions: _idle,
        unusedIdle: _unused,
        keepAliveRequests: _alive,
        keepAliveUsd: _usd,
        ...totals
      } = more;
      const row = { file: 'a"}.jsonl', set, totals: { ...totals, costUsd: COST }, ...counted };
      return { ...row, compactions, keptTokens, pareto: at !== 1 };
    }),
  );
});
