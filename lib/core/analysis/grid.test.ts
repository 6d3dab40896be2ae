import { expect, test } from "vitest";
import { SettingError } from "../compaction/policy/settings";
import { MAX_POINTS, MAX_REPLAYS, rangeValues, sweepPoints, sweepReplays } from "./grid";

const range = (from: number, to: number, step: number, key = "k") => ({ key, from, to, step });

test("a range includes both ends, without floating-point noise", () => {
  expect(rangeValues(range(0.1, 0.5, 0.1))).toEqual([0.1, 0.2, 0.3, 0.4, 0.5]);
  expect(rangeValues(range(0.5, 0.95, 0.05))).toEqual([0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]);
  expect(rangeValues(range(1000, 3000, 1000))).toEqual([1000, 2000, 3000]);
  expect(rangeValues(range(7, 7, 1))).toEqual([7]);
  expect(rangeValues(range(0, 3e-7, 1e-7))).toEqual([0, 1e-7, 2e-7, 3e-7]);
});

test("a range ends at its last step if no step meets the upper bound", () => {
  expect(rangeValues(range(0, 10, 4))).toEqual([0, 4, 8]);
});

test.each([
  [range(2, 1, 1)],
  [range(0, 1, 0)],
  [range(0, 1, -1)],
  [range(0, Number.POSITIVE_INFINITY, 1)],
  [range(Number.NaN, 1, 1)],
  [range(0, MAX_POINTS, 1)],
])("%j is not a range", (bad) => {
  expect(() => rangeValues(bad)).toThrow(SettingError);
});

test("two ranges make a grid, the first one outermost", () => {
  expect(sweepPoints([range(1, 2, 1, "a"), range(5, 6, 1, "b")])).toEqual([
    { a: 1, b: 5 },
    { a: 1, b: 6 },
    { a: 2, b: 5 },
    { a: 2, b: 6 },
  ]);
});

test("varying a setting twice, or too many points, throws an error", () => {
  expect(() => sweepPoints([range(1, 2, 1), range(1, 2, 1)])).toThrow("once");
  expect(() => sweepPoints([range(1, 200, 1, "a"), range(1, 200, 1, "b")])).toThrow("40000 points");
});

test("a sweep replays each of its points on each recording, up to a million replays", () => {
  const grid = [range(1, 100, 1, "a"), range(1, 100, 1, "b")];
  expect(sweepReplays(grid, 100)).toBe(MAX_REPLAYS);
  expect(() => sweepReplays(grid, 101)).toThrow(SettingError);
  expect(() => sweepReplays(grid, 101)).toThrow(
    "the sweep has 1,010,000 replays (10,000 points × 101 recordings); 1,000,000 are the most: take fewer values, or fewer recordings",
  );
});
