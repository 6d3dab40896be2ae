import { describe, expect, it, test } from "vitest";
import type { Basis } from "../compaction/counting";
import type { Compared } from "./compared";
import { differences, isBest } from "./difference";
import { remarksOn } from "./remarks";
import { COMPARED_METRICS, type Metrics } from "./values";

const BASE: Metrics = {
  requests: 12,
  final: 100,
  compactions: 2,
  peak: 900,
  tokensSent: 5000,
  tokensRewritten: 300,
  summaryCallTokens: 0,
  costUsd: 2.5,
  requestsOverWindow: 0,
  requestsNearWindow: 3,
  regret: null,
  bestUsd: null,
  neededAgain: 3,
  neededAgainTokens: 700,
  shortestCycle: 7,
  idleCompactions: null,
  unusedIdle: null,
  keepAliveRequests: null,
  keepAliveUsd: null,
  keptTokens: 100,
};

function run(metrics: Partial<Metrics> = {}, basis: Basis = "calibrated", isRecording = false): Compared {
  const rests = { basis, isRecording, uncachedByReads: false, isHindsight: false };
  return { metrics: { ...BASE, ...metrics }, bands: {}, ...rests, calibration: undefined };
}

function of(metric: string, ...metrics: readonly Partial<Metrics>[]) {
  const found = differences(metrics.map((one) => run(one))).find((row) => row.metric === metric);
  if (found === undefined) throw new Error(`no metric ${metric}`);
  return found;
}

test("every compared metric has a row, with values in the order of the runs", () => {
  const rows = differences([run(), run({ peak: 800 })]);
  expect(rows.map(({ metric }) => metric)).toEqual(COMPARED_METRICS.map(({ key }) => key));
  expect(rows.map(({ metric }) => metric)).not.toContain("final");
  expect(rows.find(({ metric }) => metric === "peak")).toEqual({
    metric: "peak",
    values: [900, 800],
    best: 1,
    apart: [],
  });
});

test("less is better, except for kept tokens and the shortest cycle", () => {
  expect(of("tokensSent", {}, { tokensSent: 4000 }, { tokensSent: 6000 }).best).toBe(1);
  expect(of("keptTokens", {}, { keptTokens: 90 }, { keptTokens: 300 }).best).toBe(2);
  expect(of("shortestCycle", { shortestCycle: null }, {}, { shortestCycle: 9 }).best).toBe(2);
});

test("a run with hindsight is never best, and neither is the only other run", () => {
  const hindsight = { ...run({ costUsd: 1, compactions: 2 }), isHindsight: true };
  const costs = (...runs: readonly Compared[]) => {
    const row = differences(runs).find(({ metric }) => metric === "costUsd");
    if (row === undefined) throw new Error("no costs");
    const marked = runs.map((_, index) => isBest(row, index, (at) => runs[at]?.isHindsight === true));
    return [row.values, row.best, marked];
  };
  expect(costs(run(), hindsight, run({ costUsd: 2 }))).toEqual([[2.5, 1, 2], 2, [false, false, true]]);
  expect(costs(run(), hindsight, run())).toEqual([[2.5, 1, 2.5], 0, [false, false, false]]);
  expect(costs(run(), hindsight)).toEqual([[2.5, 1], null, [false, false]]);
  const runs = [run(), hindsight];
  expect(remarksOn(runs, differences(runs))).toEqual([{ id: "hindsight", runs: [1] }]);
});

test("the first of equal values is the best, and all of them are marked unless all runs are equal", () => {
  const tied = of("compactions", { compactions: 4 }, {}, {});
  expect(tied.best).toBe(1);
  expect([0, 1, 2].map((run) => isBest(tied, run))).toEqual([false, true, true]);
  const same = of("peak", {}, {});
  expect([same.best, isBest(same, 0)]).toEqual([0, false]);
});

test("a metric that only one run has is not compared", () => {
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

test("a metric missing from every run has no best value", () => {
  const none = of("shortestCycle", { shortestCycle: null }, { shortestCycle: null });
  expect(none).toMatchObject({ values: [null, null], best: null });
  expect(isBest(none, 0)).toBe(false);
});

describe("runs with different counting bases", () => {
  const recorded = (metrics: Partial<Metrics> = {}) => run(metrics, "recorded", true);
  const peaks = (...runs: readonly Compared[]) => {
    const rows = differences(runs);
    const { values, best, apart } = rows.find(({ metric }) => metric === "peak") ?? {};
    return { values, best, apart, remarks: remarksOn(runs, rows) };
  };

  it("are compared if one uses the recorded usage and the other is calibrated to it", () => {
    expect(peaks(recorded(), run({ peak: 800 }))).toEqual({ values: [900, 800], best: 1, apart: [], remarks: [] });
  });

  it("are not compared, and no value is best, if one is an estimate that is not calibrated", () => {
    expect(peaks(recorded(), run({ peak: 800 }, "estimate"))).toEqual({
      values: [null, 800],
      best: null,
      apart: [0],
      remarks: [{ id: "usageApart", runs: [0] }],
    });
  });

  it("do not prevent the comparison of the other runs", () => {
    const estimates = [run({ peak: 800 }, "estimate"), run({ peak: 700 }, "estimate")];
    expect(peaks(recorded(), ...estimates)).toMatchObject({ values: [null, 800, 700], best: 2, apart: [0] });
    const followed = run({ peak: 850 }, "recorded");
    expect(peaks(recorded(), followed, run({ peak: 1 }, "estimate"))).toEqual({
      values: [900, 850, null],
      best: 1,
      apart: [2],
      remarks: [{ id: "estimateApart", runs: [2] }],
    });
  });

  it("are compared if all are estimates, because no usage is recorded", () => {
    expect(peaks(run({}, "estimate", true), run({ peak: 800 }, "estimate"))).toMatchObject({ best: 1, apart: [] });
  });
});

test("uncached tokens of a recording are not compared with those from comparing contexts", () => {
  const runs = [{ ...run({}, "recorded", true), uncachedByReads: true }, run({ tokensRewritten: 0, peak: 800 })];
  const rows = differences(runs);
  expect(rows.flatMap(({ metric, apart }) => (apart.length > 0 ? [metric] : []))).toEqual(["tokensRewritten"]);
  expect(rows.find(({ metric }) => metric === "tokensRewritten")).toMatchObject({
    values: [null, 0],
    best: null,
    apart: [0],
  });
  expect(remarksOn(runs, rows)).toEqual([{ id: "rewrittenApart", runs: [0] }]);
  const more = [...runs, run({ tokensRewritten: 9 })];
  expect(differences(more).find(({ metric }) => metric === "tokensRewritten")).toMatchObject({
    values: [null, 0, 9],
    best: 1,
  });
});

test("a doubtful calibration gives a remark for the runs that use it", () => {
  const calibration = { factor: 9, pairs: 20, outOfSampleError: 0.1, outOfSampleBias: 0, doubts: ["factor"] } as const;
  const runs = [run({}, "recorded", true), run({ peak: 1 }), run({ peak: 2 }, "recorded")].map((one) => ({
    ...one,
    calibration,
  }));
  expect(remarksOn(runs, differences(runs))).toEqual([{ id: "doubtfulCalibration", runs: [1] }]);
});

test("a comparison without differences is reported as such, even if runs lack metrics", () => {
  const runs = [run({ summaryCallTokens: null }, "recorded", true), run({}, "recorded")];
  expect(remarksOn(runs, differences(runs))).toEqual([{ id: "noDifference", runs: [0, 1] }]);
  const changed = [...runs, run({ peak: 1 })];
  expect(remarksOn(changed, differences(changed))).toEqual([]);
  // Values of runs on another basis count as absent.
  const apart = [run({}, "recorded", true), run({}, "estimate"), run({}, "estimate")];
  expect(remarksOn(apart, differences(apart))).toEqual([{ id: "usageApart", runs: [0] }]);
});
