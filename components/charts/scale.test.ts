import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { axisTop, linearScale, niceStep, ticks } from "./scale";

describe("scale", () => {
  it("maps there and back, upside down too", () => {
    const y = linearScale([0, 200_000], [300, 0]);
    expect(y.px(50_000)).toBe(225);
    expect(y.value(225)).toBe(50_000);
    expect(y.value(-50)).toBe(200_000);
  });

  it("survives a domain without width", () => {
    const x = linearScale([3, 3], [10, 90]);
    expect(x.px(3)).toBe(10);
    expect(x.value(50)).toBe(3);
  });

  it("chooses round steps", () => {
    expect(niceStep(200_000, 4)).toBe(50_000);
    expect(ticks([67, 198], 7)).toEqual([80, 100, 120, 140, 160, 180]);
    expect(ticks([0, 3], 8)).toEqual([0, 1, 2, 3]);
  });

  it("never gives more ticks than asked for, plus the one at zero", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000_000 }), fc.integer({ min: 1, max: 12 }), (high, count) => {
        expect(ticks([0, high], count).length).toBeLessThanOrEqual(count + 1);
      }),
    );
  });

  it("holds every value below the top of the axis", () => {
    expect(axisTop(200_000, 156_579)).toBe(225_000);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (value) => {
        expect(axisTop(value)).toBeGreaterThanOrEqual(value);
      }),
    );
  });
});
