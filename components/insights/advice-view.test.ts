import { expect, it } from "vitest";
import { assumedRows, becauseParts, type Found, missingOf, settingCurve } from "./advice-view";

const advised = (under: string, trigger: number, missing: Found["advice"]["missing"] = []): Found["advice"] => ({
  under,
  set: { trigger },
  missing,
  sessions: 9,
  unknown: 0,
  alike: 0,
  saving: { estimate: 0.1, low: 0.05, high: 0.2 },
});

function found(change: Partial<Found> = {}): Found {
  return {
    by: "cost",
    seed: 1,
    sessions: 9,
    projects: 3,
    crossing: 9,
    unaffected: [],
    current: 10,
    thrashing: 0,
    isEvidence: true,
    settings: [10, 8, 8.05].map((total, at) => ({ set: { trigger: at }, total, saving: 1 - total / 10 })),
    advice: advised("as-set", 1),
    worst: advised("as-set", 1),
    turns: [],
    unknown: [],
    lowerBounds: 0,
    flat: [{ trigger: 1 }, { trigger: 2 }],
    because: { read: -3, anew: 0.004, output: 0, summaryCalls: 1 },
    pauses: null,
    whatIf: null,
    ...change,
  };
}

it("under each assumption the advice holds, changes to another setting, or lacks evidence", () => {
  const turns = [advised("5m", 2), advised("on a-model", 0), advised("no-pauses", 1, ["interval"])];
  const rows = assumedRows(found({ turns, worst: advised("large-summaries", 1) }));
  expect(rows.map(({ under, model, verdict }) => [under, model, verdict])).toEqual([
    ["as-set", undefined, "holds"],
    ["large-summaries", undefined, "holds"],
    ["5m", undefined, "holds"],
    ["on", "a-model", "turns"],
    ["no-pauses", undefined, "none"],
  ]);
});

it("missing evidence is stated for the sessions as they are, else for the worst case", () => {
  expect(missingOf(found())).toEqual([]);
  const none = { isEvidence: false };
  expect(missingOf(found({ ...none, advice: advised("as-set", 1, ["sessions", "size"]) }))).toEqual([
    { under: "as-set", missing: "sessions" },
    { under: "as-set", missing: "size" },
  ]);
  const worst = advised("large-summaries", 1, ["interval"]);
  expect(missingOf(found({ ...none, worst }))).toEqual([{ under: "large-summaries", missing: "interval" }]);
  expect(missingOf(found({ ...none, worst: advised("cache-at-worst", 0) }))).toEqual([
    { under: "cache-at-worst", missing: "other" },
  ]);
});

it("the parts of a cost that change are listed, the largest first, and equal settings form a region", () => {
  expect(becauseParts(found()).map(({ part }) => part)).toEqual(["read", "summaryCalls"]);
  expect(becauseParts(found({ because: null }))).toEqual([]);
  const curve = settingCurve(found(), "trigger");
  expect([curve.flat, curve.points.map(({ isFlat }) => isFlat)]).toEqual([[[1, 2]], [false, true, true]]);
});

it("a region of equal settings excludes a more expensive one between them, and has at least two", () => {
  const settings = [8, 8.01, 9, 8.02, 9, 8].map((total, at) => ({ set: { trigger: at }, total, saving: 0 }));
  const flatAt = (...at: readonly number[]) => at.map((trigger) => ({ trigger }));
  expect(settingCurve(found({ settings, flat: flatAt(0, 1, 3, 5) }), "trigger").flat).toEqual([[0, 1]]);
  expect(settingCurve(found({ settings, flat: flatAt(0, 1, 4, 5) }), "trigger").flat).toEqual([
    [0, 1],
    [4, 5],
  ]);
  expect(settingCurve(found({ settings, flat: flatAt(5) }), "trigger").flat).toEqual([]);
});
