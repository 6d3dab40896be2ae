import { describe, expect, test } from "vitest";
import { TRIGGER } from "../columns/columns";
import { countedBySize } from "../columns/token-columns";
import { customPolicy } from "../compaction/policies/custom";
import type { ContextView, Policy } from "../compaction/policy/policy";
import { resolveSettings } from "../compaction/policy/settings";
import { drawColumns } from "../testing/draw";
import { addedItem, policyOf } from "../testing/policies";
import { type Evidence, fidelityOf } from "./fidelity";

const WINDOW = 1000;

/** Checks a policy that fires at 800 of 1,000 and leaves only a summary. */
function check(
  drawing: string,
  given: Record<string, number> = {},
  policy: Policy = customPolicy,
  evidence: Evidence = {},
  columns = drawColumns(drawing),
) {
  const specs = policy.settings("default", { window: WINDOW, agent: null });
  const settings = resolveSettings(specs, { keepRecentTokens: 0, summaryTokens: 50, ...given });
  return fidelityOf(
    countedBySize(columns, "bytes-4"),
    {
      policy,
      preset: "default",
      settings,
      window: WINDOW,
    },
    evidence,
  );
}

test('a compaction with missing evidence counts neither as hit nor as miss, and its verdict is "untold"', () => {
  const verdictOf = (...given: Parameters<typeof check>) => {
    const { boundaries, reanchored, threshold } = check(...given);
    const { hits, misses, falseAlarms } = reanchored;
    return [boundaries.at(-1)?.reanchored.verdict, boundaries.at(-1)?.missing, hits + misses + falseAlarms, threshold];
  };
  const met = "u100 a100 @700 u30 B840 s40 a10 @300";
  const missed = "u100 a100 @200 u30 B s40 a10";
  expect([met, missed].map((drawing) => verdictOf(drawing))).toEqual([
    ["hit", undefined, 1, 800],
    ["miss", undefined, 1, 800],
  ]);
  // After an unanswered call the context was larger than known, which only adds to a size that triggers the prediction anyway.
  const unanswered = (used: number) => verdictOf(`u100 a100 @${used} c40 c50 r10 B840 s40 a10 @300`);
  expect([unanswered(300), unanswered(780)]).toEqual([
    ["untold", "call", 0, 800],
    ["hit", undefined, 1, 800],
  ]);
  // Recorded usage includes the missing part of a trimmed file.
  const trimmed = [met, "u300 a100 u30 B840 s40 a10"].map((drawing) =>
    verdictOf(drawing, {}, customPolicy, { isTrimmed: true }),
  );
  expect(trimmed).toEqual([
    ["hit", undefined, 1, 800],
    ["untold", "trimmed", 0, 800],
  ]);
  for (const drawing of [met, missed]) {
    // A lower bound of the window is not a limit.
    expect(verdictOf(drawing, {}, customPolicy, { isWindowUnknown: true })).toEqual(["untold", "window", 0, undefined]);
  }
});

test("without recorded usage, compactions not predicted are undecided, and false alarms do not exist", () => {
  const verdictOf = (drawing: string, evidence: Evidence) => {
    const { boundaries, reanchored, freeRunning } = check(drawing, {}, customPolicy, evidence);
    const { verdict } = boundaries[0]?.reanchored ?? {};
    return [verdict, boundaries[0]?.missing, reanchored.falseAlarms + freeRunning.falseAlarms];
  };
  const small = "u100 a100 u30 B s40 a10";
  expect([verdictOf(small, {}), verdictOf(small, { lacksUsage: true })]).toEqual([
    ["miss", undefined, 0],
    ["untold", "usage", 0],
  ]);
  expect(verdictOf("u700 a100 u30 B s40 a10", { lacksUsage: true })).toEqual(["hit", undefined, 0]);
  const early = "u700 a100 u30 a10 u10 a10 u10 a10 u10 B s40 a10";
  expect([verdictOf(early, {}), verdictOf(early, { lacksUsage: true })]).toEqual([
    ["miss", undefined, 2],
    ["untold", "usage", 0],
  ]);
});

test('a compaction after an overflow error gets the verdict "overflow", unless the policy predicts it', () => {
  const verdictOf = (drawing: string) => {
    const columns = drawColumns(drawing);
    columns.boundaries.trigger.fill(TRIGGER.overflow);
    const { boundaries, reanchored } = check(drawing, {}, customPolicy, {}, columns);
    return [boundaries[0]?.reanchored.verdict, reanchored.misses];
  };
  expect(verdictOf("u100 a100 @700 u30 B840 s40 a10 @300")).toEqual(["hit", 0]);
  expect(verdictOf("u100 a100 @200 u30 B s40 a10")).toEqual(["overflow", 0]);
});

test("an idle compaction is undecided for a policy without an idle rule, unless its limit predicts it", () => {
  const verdictOf = (drawing: string) => {
    const columns = drawColumns(drawing);
    columns.boundaries.trigger.fill(TRIGGER.idle);
    const { boundaries, reanchored } = check(drawing, {}, customPolicy, {}, columns);
    const { misses, falseAlarms } = reanchored;
    return [boundaries[0]?.reanchored.verdict, boundaries[0]?.missing, misses, falseAlarms];
  };
  expect(verdictOf("u100 a100 @700 u30 B840 s40 a10 @300")).toEqual(["hit", undefined, 0, 0]);
  expect(verdictOf("u100 a100 @200 u30 B s40 a10")).toEqual(["untold", "idle", 0, 0]);
  // An alarm long before is a false alarm, and says nothing about the idle compaction.
  expect(verdictOf("u100 a100 @200 u10 a10 @900 u10 a10 @300 u10 a10 @310 u10 a10 @320 u10 B s40 a10 @300")).toEqual([
    "untold",
    "idle",
    0,
    1,
  ]);
});

test("each compaction is checked against the window of its own request", () => {
  const verdictOf = (evidence: Evidence) =>
    check("u100 a100 @200 u50 B s40 a10", {}, customPolicy, evidence).boundaries[0]?.reanchored.verdict;
  expect([verdictOf({}), verdictOf({ windowAt: () => 300 })]).toEqual(["miss", "hit"]);
});

/** A policy that adds the last response's usage and the estimate of later items, and fires from 800 on. */
function byUsage(outputOf: (view: ContextView) => number): Policy {
  const { begin } = policyOf((view) => {
    if (view.lastInput === 0 || view.lastInput + outputOf(view) + view.added < 800) return undefined;
    return {
      trigger: "threshold",
      kept: [],
      truncated: [],
      cleared: [],
      added: [addedItem(50)],
      addedAt: "front",
      outcome: "summary",
      summaryTokens: 50,
      summaryCallTokens: view.history,
    };
  });
  return { ...customPolicy, begin };
}

/** Twelve requests that add 40 each by the estimate; by the recorded usage two of them add 60 more. So an estimate is off by 10. */
const STEPS =
  "u20 a20 @100 u20 a20 @140 u20 a20 @180 u20 a20 @220 u20 a20 @260 u20 a20 @300 u20 a20 @340 u20 a20 @380 \
u20 a20 @420 u20 a20 @460 u20 a20 @560 u20 a20 @600 u20 a20 @700";

/** A policy that looks only between turns, at the size with the last response, and fires above 800. */
const betweenTurns: Policy = {
  ...customPolicy,
  begin: (plan) => {
    const run = customPolicy.begin({ ...plan, settings: { ...plan.settings, triggerShare: 0 } });
    const isOver = (view: ContextView) => view.turnStart && view.lastInput + view.lastOutput > 800;
    return { before: (view) => (isOver(view) ? run.before(view) : undefined) };
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

test("a prediction one request early is a hit, two requests early a miss and a false alarm", () => {
  expect(check("u100 a10 @700 u120 a10 @810 u10 B s40 a10 @300").reanchored).toMatchObject({ hits: 1, falseAlarms: 0 });
  const early = check("u100 a10 @700 u120 a10 @830 u1 a1 @840 u1 B s40 a10 @300");
  expect(early.reanchored).toMatchObject({ hits: 0, misses: 1, falseAlarms: 1, alarms: [{ request: 1 }] });
});

test("a compaction below the threshold is a miss, with the state in which it happened", () => {
  const { reanchored, boundaries } = check("u100 a100 @600 u30 B s40 a10 @300 u10 a10 @330");
  expect(reanchored).toMatchObject({ hits: 0, misses: 1, falseAlarms: 0 });
  expect(boundaries).toMatchObject([{ reanchored: { verdict: "miss" }, lastRecorded: 600, wouldSend: 730 }]);
});

test("every boundary is predicted from the recorded state after the previous boundary", () => {
  // After the first compaction the recording goes on with 500 (the client attached files again), the policy with 140.
  const drawing = "u700 a50 @790 u30 B s40 a10 @500 u100 a200 @720 u90 B s40 a10 @300";
  const { reanchored, freeRunning } = check(drawing);
  expect(reanchored).toMatchObject({ hits: 2, misses: 0, falseAlarms: 0 });
  expect(freeRunning).toMatchObject({ hits: 1, misses: 1, falseAlarms: 0 });
});

test("a rule that is checked between turns counts the finished run, but not the next typed message", () => {
  const { reanchored, boundaries } = check("u100 a10 @700 u90 a10 @810 B820 s40 u900 a10 @300", {}, betweenTurns);
  expect(reanchored).toMatchObject({ hits: 1, misses: 0, falseAlarms: 0 });
  expect(boundaries).toMatchObject([{ request: 2, reanchored: { prediction: { request: 2, tokensBefore: 820 } } }]);
  // A compaction at the end of the file also follows a finished run.
  expect(check("u100 a10 @700 u90 a10 @810 B820 s40", {}, betweenTurns).reanchored).toMatchObject({ hits: 1 });
});

test("a rule that is checked between turns predicts nothing within a run", () => {
  const within = check("u100 c10 @700 r90 c10 @810 r5 B820 s40 a10 @300", {}, betweenTurns);
  expect(within.reanchored).toMatchObject({ hits: 0, misses: 1, falseAlarms: 0 });
});

test("a prediction without a recorded compaction is a false alarm", () => {
  const { reanchored } = check("u100 a10 @700 u110 a10 @900 u1 a1 @910");
  expect(reanchored).toMatchObject({ hits: 0, misses: 0, falseAlarms: 1, alarms: [{ request: 1, tokensBefore: 820 }] });
});

test("a manual compaction is neither hit nor miss, and the next check starts from the state after it", () => {
  const { boundaries, reanchored } = check("u10 a10 @900 u1 M s40 a10 @500 u300 B s4 a10 @90");
  expect(boundaries.map((boundary) => boundary.reanchored.verdict)).toEqual(["manual", "hit"]);
  // Before the manual compaction the policy fires by itself: the first request has 900, above the threshold.
  expect(reanchored).toMatchObject({ hits: 1, misses: 0 });
});

describe("an outcome that depends on the estimate's error", () => {
  const at = (drawing: string) =>
    check(
      `${STEPS} ${drawing}`,
      {},
      byUsage(({ lastOutput }) => lastOutput),
    );

  test("a compaction is neither hit nor miss if an estimate within its error would predict it", () => {
    // 700 were sent, the response is estimated at 20, and 75 came after it: 5 are missing.
    const { reanchored, freeRunning, boundaries } = at("u75 B800 s40 a10 @300");
    const score = { hits: 0, withinError: 1, misses: 0, falseAlarms: 0, errorBefore: undefined };
    expect([reanchored, freeRunning]).toMatchObject([score, score]);
    expect(boundaries).toMatchObject([{ reanchored: { verdict: "withinError", prediction: undefined, error: 10 } }]);
  });

  test("a compaction beyond that error is a miss", () => {
    expect(at("u69 B800 s40 a10 @300").reanchored).toMatchObject({ hits: 0, withinError: 0, misses: 1 });
    expect(at("u70 B800 s40 a10 @300").reanchored).toMatchObject({ hits: 0, withinError: 1, misses: 0 });
  });

  test("a predicted compaction is a hit, even if it depends on the error", () => {
    expect(at("u81 B800 s40 a10 @300").reanchored).toMatchObject({ hits: 1, withinError: 0, misses: 0 });
  });

  test("a predicted compaction stays a hit if another compaction of the session is missed", () => {
    const { freeRunning, reanchored } = at("u81 B800 s40 a10 @300 u10 a10 @320 u10 B400 s40 a10 @200");
    for (const metrics of [freeRunning, reanchored])
      expect(metrics).toMatchObject({ hits: 1, withinError: 0, misses: 1, falseAlarms: 0 });
  });

  test("after a compaction that depends on the error, the policy continues from the recorded state", () => {
    // Otherwise the context would grow on, and the policy would compact four requests later.
    const { freeRunning } = at("u75 B800 s40 a10 @300 u10 a10 @320 u10 a10 @340 u10 a10 @360 u10 a10 @380");
    expect(freeRunning).toMatchObject({ hits: 0, withinError: 1, misses: 0, falseAlarms: 0, alarms: [] });
  });

  test("a prediction is not a false alarm if an estimate within its error would not make it", () => {
    // The context is 801 before the first of three requests; the recording compacted before the third.
    const { reanchored } = at("u81 a20 @770 u1 a20 @771 u1 a20 @772 u30 B820 s40 a10 @300");
    expect(reanchored).toMatchObject({ hits: 0, withinError: 1, misses: 0, falseAlarms: 0 });
    expect(reanchored.alarms).toMatchObject([{ request: 13, withinError: true }]);
    const without = at("u81 a20 @770 u1 a20 @771 u1 a20 @772").reanchored;
    expect(without).toMatchObject({ withinError: 0, falseAlarms: 0, alarms: [{ request: 13, withinError: true }] });
  });

  test("a prediction beyond that error is a false alarm", () => {
    const { reanchored } = at("u130 a20 @770 u1 a20 @771 u1 a20 @772 u30 B820 s40 a10 @300");
    expect(reanchored).toMatchObject({ hits: 0, withinError: 0, misses: 1, falseAlarms: 1 });
    expect(reanchored.alarms).toMatchObject([{ request: 13, withinError: false }]);
  });

  test("a recorded output has no error", () => {
    const recorded = byUsage(({ recordedOutput = 0 }) => recordedOutput);
    // Responses of the test notation have 1 output token: 5 are missing.
    expect(check(`${STEPS} u94 B800 s40 a10 @300`, {}, recorded).reanchored).toMatchObject({
      misses: 1,
      withinError: 0,
    });
  });
});

test("a compaction with nothing before it in the file cannot be predicted", () => {
  const { reanchored, boundaries } = check("B s40 u10 a10 @500");
  expect(reanchored).toMatchObject({ hits: 0, misses: 0 });
  expect(boundaries).toMatchObject([{ reanchored: { verdict: "unseen" }, wouldSend: undefined }]);
});

test("clearing of old results does not count as a predicted compaction", () => {
  const { reanchored } = check("u1 c1 r100 a1 @200 u1 a1 @210 u1 a1 @220", { clearToolResultsAfter: 1 });
  expect(reanchored.falseAlarms).toBe(0);
});

test("a predicted truncation that drops messages meets a recorded compaction, and is never a false alarm", () => {
  const truncating = (kept: (view: ContextView) => readonly (readonly [number, number])[]) => {
    const { begin } = policyOf((view) => ({
      ...{ trigger: "threshold", kept: kept(view), truncated: [], cleared: [], added: [], addedAt: "front" },
      ...{ outcome: "trim", summaryTokens: 0, summaryCallTokens: 0 },
    }));
    const fires = (view: ContextView) => view.lastInput + view.added >= 800;
    return {
      ...customPolicy,
      begin: (plan) => {
        const run = begin(plan);
        return { before: (view) => (fires(view) ? run.before(view) : undefined) };
      },
    } satisfies Policy;
  };
  const dropping = truncating((view) => [[1, view.items.length]]);
  const recorded = "u100 a100 @790 u30 B840 s40 a10 @300";
  expect(check(recorded, {}, dropping).boundaries[0]?.reanchored).toMatchObject({
    verdict: "hit",
    prediction: { request: 1 },
  });
  expect(check("u100 a100 @790 u30 a10 @600", {}, dropping).reanchored).toMatchObject({ falseAlarms: 0, alarms: [] });
  // Shortened results leave the history as it is.
  const keeping = truncating((view) => [[0, view.items.length]]);
  expect(check(recorded, {}, keeping).boundaries[0]?.reanchored.verdict).toBe("miss");
});
