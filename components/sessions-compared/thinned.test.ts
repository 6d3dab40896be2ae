import fc from "fast-check";
import { expect, it } from "vitest";
import { thinned } from "./compared-sessions";

it("a short series keeps every point", () => {
  expect(thinned([5, 1, 9], 9)).toEqual([
    { x: 0, y: 5 },
    { x: 1, y: 1 },
    { x: 2, y: 9 },
  ]);
  expect(thinned([], 9)).toEqual([]);
});

it("a long series keeps its ends, its peak and its lowest point, within the maximum", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(), { minLength: 1, maxLength: 2000 }),
      fc.integer({ min: 30, max: 300 }),
      (values, most) => {
        const points = thinned(values, most);
        const heights = points.map(({ y }) => y);
        expect(points.length).toBeLessThanOrEqual(most + 3);
        expect(points.map(({ x }) => x)).toEqual([...new Set(points.map(({ x }) => x))].sort((a, b) => a - b));
        for (const { x, y } of points) expect(y).toBe(values[x]);
        expect(Math.max(...heights)).toBe(values.reduce((most, one) => Math.max(most, one)));
        expect(Math.min(...heights)).toBe(values.reduce((least, one) => Math.min(least, one)));
        expect(heights.at(-1)).toBe(values.at(-1));
      },
    ),
  );
});
