import { expect, test } from "vitest";
import { sizeTokenColumn } from "../columns/token-columns";
import { customPolicy } from "../compaction/custom";
import type { Policy } from "../compaction/policy";
import { resolveSettings } from "../compaction/settings";
import { drawColumns } from "../testing/draw";
import { fidelityOf } from "./fidelity";

const WINDOW = 1000;

/** A policy that fires at 800 of 1,000 and leaves a summary alone. */
function check(drawing: string, given: Record<string, number> = {}, policy: Policy = customPolicy) {
  const columns = drawColumns(drawing);
  const specs = policy.settings("default", { window: WINDOW, agent: null });
  const settings = resolveSettings(specs, { keepRecentTokens: 0, summaryTokens: 50, ...given });
  return fidelityOf(columns, sizeTokenColumn(columns, "bytes-4"), {
    policy,
    preset: "default",
    settings,
    window: WINDOW,
  });
}

/** A policy that looks between turns alone, at what the last response came to: above 800 it fires. */
const betweenTurns: Policy = {
  ...customPolicy,
  begin: (plan) => {
    const { before } = customPolicy.begin({ ...plan, settings: { ...plan.settings, triggerShare: 0 } });
    return { before: (view) => (view.turnStart && view.lastInput + view.lastOutput > 800 ? before(view) : undefined) };
  },
};

test("a compaction that the policy predicts before the same request is a hit, with the error of its sizes", () => {
  const { boundaries, threshold, reanchored } = check("u100 a100 @700 u30 B840 s40 a10 @300");
  expect(threshold).toBe(800);
  expect(reanchored).toMatchObject({
    hits: 1,
    misses: 0,
    falseAlarms: 0,
    errorBefore: { boundaries: 1, bias: -10, meanAbsolute: 10 },
  });
  expect(boundaries).toMatchObject([
    {
      request: 1,
      tokensBefore: 840,
      tokensAfter: 300,
      reanchored: { verdict: "hit", prediction: { request: 1, tokensBefore: 830 } },
    },
  ]);
});

test("one request early is a hit, two are a miss and a false alarm", () => {
  expect(check("u100 a10 @700 u120 a10 @810 u10 B s40 a10 @300").reanchored).toMatchObject({ hits: 1, falseAlarms: 0 });
  const early = check("u100 a10 @700 u120 a10 @830 u1 a1 @840 u1 B s40 a10 @300");
  expect(early.reanchored).toMatchObject({ hits: 0, misses: 1, falseAlarms: 1, alarms: [{ request: 1 }] });
});

test("a compaction below the threshold is a miss, with the state in which it happened", () => {
  const { reanchored, boundaries } = check("u100 a100 @600 u30 B s40 a10 @300 u10 a10 @330");
  expect(reanchored).toMatchObject({ hits: 0, misses: 1, falseAlarms: 0 });
  expect(boundaries).toMatchObject([{ reanchored: { verdict: "miss" }, lastRecorded: 600, wouldSend: 730 }]);
});

test("every boundary is predicted from the recorded state after the one before it", () => {
  // After the first compaction the recording goes on with 500 (the client attached files again), the policy with 140.
  const drawing = "u700 a50 @790 u30 B s40 a10 @500 u100 a200 @720 u90 B s40 a10 @300";
  const { reanchored, freeRunning } = check(drawing);
  expect(reanchored).toMatchObject({ hits: 2, misses: 0, falseAlarms: 0 });
  expect(freeRunning).toMatchObject({ hits: 1, misses: 1, falseAlarms: 0 });
});

test("a rule that looks between turns sees the finished run, and not what was typed behind the compaction", () => {
  const { reanchored, boundaries } = check("u100 a10 @700 u90 a10 @810 B820 s40 u900 a10 @300", {}, betweenTurns);
  expect(reanchored).toMatchObject({ hits: 1, misses: 0, falseAlarms: 0 });
  expect(boundaries).toMatchObject([{ request: 2, reanchored: { prediction: { request: 2, tokensBefore: 820 } } }]);
  // A compaction that is the last thing in the file stands behind a finished run as well.
  expect(check("u100 a10 @700 u90 a10 @810 B820 s40", {}, betweenTurns).reanchored).toMatchObject({ hits: 1 });
});

test("within a run such a rule does not look", () => {
  const within = check("u100 c10 @700 r90 c10 @810 r5 B820 s40 a10 @300", {}, betweenTurns);
  expect(within.reanchored).toMatchObject({ hits: 0, misses: 1, falseAlarms: 0 });
});

test("a prediction where the recording has no compaction is a false alarm", () => {
  const { reanchored } = check("u100 a10 @700 u110 a10 @900 u1 a1 @910");
  expect(reanchored).toMatchObject({ hits: 0, misses: 0, falseAlarms: 1, alarms: [{ request: 1, tokensBefore: 820 }] });
});

test("a manual compaction is neither hit nor miss, and the next one is predicted from what it left", () => {
  const { boundaries, reanchored } = check("u10 a10 @900 u1 M s40 a10 @500 u300 B s4 a10 @90");
  expect(boundaries.map((boundary) => boundary.reanchored.verdict)).toEqual(["manual", "hit"]);
  // What the policy does before the manual one is its own: 900 at the first request, above the threshold.
  expect(reanchored).toMatchObject({ hits: 1, misses: 0 });
});

test("a compaction with nothing before it in the file cannot be predicted", () => {
  const { reanchored, boundaries } = check("B s40 u10 a10 @500");
  expect(reanchored).toMatchObject({ hits: 0, misses: 0 });
  expect(boundaries).toMatchObject([{ reanchored: { verdict: "unseen" }, wouldSend: undefined }]);
});

test("clearing of old results is no prediction of a compaction", () => {
  const { reanchored } = check("u1 c1 r100 a1 @200 u1 a1 @210 u1 a1 @220", { clearToolResultsAfter: 1 });
  expect(reanchored.falseAlarms).toBe(0);
});
