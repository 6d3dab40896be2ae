import { describe, expect, it } from "vitest";
import type { SweepRow } from "@/lib/queries/contract/types";
import { summedPoints } from "./use-several";

function row(trigger: number, sent: number, kept: number, rest: Partial<SweepRow["totals"]> = {}): SweepRow {
  const totals = { requests: 9, peak: 100, final: 1, tokensSent: sent, summaryCallTokens: 5, tokensRewritten: 7 };
  const refetched = { neededAgain: 2, neededAgainTokens: 30 };
  return {
    file: "a.jsonl",
    set: { triggerShare: trigger },
    compactions: 2,
    keptTokens: kept,
    pareto: false,
    counting: "anchored",
    basis: "calibrated",
    calibration: null,
    totals: { ...totals, ...refetched, costUsd: null, regret: null, bestUsd: null, requestsOverWindow: 1, ...rest },
  };
}

const VARY = [{ key: "triggerShare", from: 0.5, to: 0.8, step: 0.3 }];

describe("points summed over several recordings", () => {
  it("have sums, the highest peak, and the mean of kept tokens", () => {
    const { points, recordings } = summedPoints(VARY, [
      [row(0.5, 1000, 10), row(0.8, 2000, 20)],
      [row(0.5, 100, 15, { peak: 300, summaryCallTokens: 1 }), row(0.8, 50, 30)],
    ]);
    expect(recordings).toBe(2);
    expect(points[0]).toEqual({
      set: { triggerShare: 0.5 },
      metrics: {
        tokensSent: 1100,
        keptTokens: 13,
        compactions: 4,
        peak: 300,
        tokensRewritten: 14,
        summaryCallTokens: 6,
        costUsd: null,
        neededAgain: 4,
        neededAgainTokens: 60,
        regret: null,
        bestUsd: null,
        requestsOverWindow: 2,
      },
      bands: {},
    });
    expect(points[1]?.metrics).toMatchObject({ tokensSent: 2050, keptTokens: 25, peak: 100 });
  });

  it("have summed costs with ranges, without recordings that have no price", () => {
    const costUsd = {
      read: 1,
      write: 1,
      plain: 0,
      output: 0,
      total: 2,
      summaryCalls: 0,
      low: 1.5,
      high: 3,
      priced: true,
      lowerBound: true,
    };
    const priced = row(0.5, 10, 10, { costUsd });
    const both = summedPoints(VARY, [[priced], [priced]]);
    expect(both.points[0]?.metrics.costUsd).toBe(4);
    expect(both.points[0]?.bands).toEqual({ costUsd: { low: 3, high: 6, lowerBound: true } });
    const { points, lacked } = summedPoints(VARY, [[priced], [row(0.5, 10, 10)]]);
    expect(points[0]?.metrics).toMatchObject({ costUsd: 2, tokensSent: 20 });
    expect(points[0]?.bands).toEqual({ costUsd: { low: 1.5, high: 3, lowerBound: true } });
    expect(lacked.map(({ metric, always }) => [metric.key, [...always]])).toEqual([["costUsd", [1]]]);
  });

  it("have the Pareto front of the sums, not of one recording", () => {
    // The middle point is on the first recording's front, but not on the front of both together.
    const { front } = summedPoints(VARY, [
      [row(0.5, 10, 10), row(0.6, 11, 11), row(0.7, 12, 12)],
      [row(0.5, 10, 10), row(0.6, 90, 1), row(0.7, 12, 12)],
    ]);
    expect(front).toEqual([true, false, true]);
  });

  it("are absent if there is no recording", () => {
    expect(summedPoints(VARY, [])).toEqual({ vary: VARY, points: [], front: [], recordings: 0, lacked: [] });
  });
});
