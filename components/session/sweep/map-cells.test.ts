import { expect, test } from "vitest";
import { sweepPoints } from "@/lib/core/analysis/grid";
import { extent, mapGrid, rampStep } from "./heat-map";

test("a cell of the map shows the point with its two values", () => {
  const first = { key: "a", from: 1, to: 3, step: 1 };
  const second = { key: "b", from: 10, to: 40, step: 10 };
  const points = sweepPoints([first, second]);
  const { across, up, index } = mapGrid(first, second);
  expect([across, up]).toEqual([
    [1, 2, 3],
    [40, 30, 20, 10],
  ]);
  up.forEach((b, row) => {
    across.forEach((a, column) => {
      expect(points[index(row, column)]).toEqual({ a, b });
    });
  });
});

test("the colour ramp covers the lowest to the highest value", () => {
  expect([0, 49, 50, 299, 300].map((value) => rampStep(value, [0, 300]))).toEqual([1, 1, 2, 6, 6]);
  expect(rampStep(7, [7, 7])).toBe(1);
});

test("a point without the metric has no colour, and does not affect the ramp", () => {
  expect(extent([null, 300, 120, null])).toEqual([120, 300]);
  expect(rampStep(null, [120, 300])).toBeUndefined();
  expect([extent([null]), extent([]), rampStep(null, undefined)]).toEqual([undefined, undefined, undefined]);
  // A value of 0 counts as a value.
  expect([extent([0, null, 6]), rampStep(0, [0, 6])]).toEqual([[0, 6], 1]);
});
