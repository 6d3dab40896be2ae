import fc from "fast-check";
import { expect, it } from "vitest";
import { baseTag, shownTag } from "./composition-strip";

it("the labels of the two compared requests never overlap, and stay near the strip", () => {
  fc.assert(
    fc.property(fc.integer({ min: 300, max: 2000 }), fc.nat(99_999), fc.nat(99_999), (width, one, other) => {
      const points = Math.max(one, other) + 1;
      const px = (request: number) => ((request + 0.5) / points) * width;
      const shown = shownTag(one, px(one), width);
      const base = baseTag(other, px(other), shown, width);
      expect(base.left + base.width <= shown.left || base.left >= shown.left + shown.width).toBe(true);
      for (const { left, width: wide } of [shown, base]) {
        expect(left).toBeGreaterThanOrEqual(-8);
        expect(left + wide).toBeLessThanOrEqual(width + 8);
      }
    }),
  );
});

it("a label is centred below its own line if there is room", () => {
  const shown = shownTag(80, 800, 1000);
  expect(shown.left + shown.width / 2).toBe(800);
  const base = baseTag(20, 200, shown, 1000);
  expect(base.left + base.width / 2).toBe(200);
});
