import { expect, test } from "vitest";
import { linearScale } from "./scale";
import { stepBand } from "./step-path";

const y = linearScale([0, 100], [100, 0]);
const wide = linearScale([0, 4], [0, 40]);

test("a band follows the high series, and returns along the low one", () => {
  expect(stepBand([10, 20], [30, 50], wide, y, { from: 0, to: 2 })).toBe("M0 90V70H10V50H20V80H10V90H0Z");
});

test("a band is drawn only where its two series differ, with equal steps merged", () => {
  expect(stepBand([10, 10, 5, 5], [10, 10, 7, 7], wide, y, { from: 0, to: 4 })).toBe("M20 95V93H40V95H20Z");
  expect(stepBand([10, 5, 10, 5], [10, 7, 10, 7], wide, y, { from: 0, to: 4 }).match(/M/g)).toHaveLength(2);
  expect(stepBand([1, 2], [1, 2], wide, y, { from: 0, to: 2 })).toBe("");
});

test("a band keeps the extremes of requests that share a pixel, in a limited number of commands", () => {
  const low = Int32Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 50);
  const high = low.map((value) => value + 50);
  const path = stepBand(low, high, linearScale([0, low.length], [0, 500]), y, { from: 0, to: low.length });
  expect(path.match(/[MHV]/g)?.length).toBeLessThan(251 * 4);
  expect(path).toContain("V1H");
  expect(path).toContain("V100H");
});
