import { expect, test } from "vitest";
import { placedLabels } from "./overlay-chart";

const place = (...ys: readonly number[]) =>
  placedLabels(
    ys.map((y, index) => ({ index, y })),
    10,
    0,
    100,
  );

test("a label is where its line ends if there is room", () => {
  expect(place(20, 60)).toEqual([
    { index: 0, y: 20 },
    { index: 1, y: 60 },
  ]);
});

test("labels of lines that end together are spread, in the order of the lines", () => {
  expect(place(50, 45, 50)).toEqual([
    { index: 1, y: 45 },
    { index: 0, y: 55 },
    { index: 2, y: 65 },
  ]);
});

test("labels at the bottom are moved up to stay in the chart", () => {
  expect(place(99, 98, 97)).toEqual([
    { index: 2, y: 80 },
    { index: 1, y: 90 },
    { index: 0, y: 100 },
  ]);
});
