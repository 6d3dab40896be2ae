import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFormat } from "@/components/format/format";
import { axisAround, axisTop, axisUpTo, linearScale, niceStep, ticks } from "./scale";

describe("the scale", () => {
  it("maps values to pixels and back, even with a reversed range", () => {
    const y = linearScale([0, 200_000], [300, 0]);
    expect(y.px(50_000)).toBe(225);
    expect(y.value(225)).toBe(50_000);
    expect(y.value(-50)).toBe(200_000);
  });

  it("maps to finite pixels even if its domain is a single value", () => {
    const x = linearScale([3, 3], [10, 90]);
    expect(x.px(3)).toBe(10);
    expect(x.value(50)).toBe(3);
  });

  it("has round steps", () => {
    expect(niceStep(200_000, 4)).toBe(50_000);
    expect(ticks([67, 198], 7)).toEqual([80, 100, 120, 140, 160, 180]);
    expect(ticks([0, 3], 8)).toEqual([0, 1, 2, 3]);
  });

  it("has at most the requested number of ticks, plus the one at zero", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000_000 }), fc.integer({ min: 1, max: 12 }), (high, count) => {
        expect(ticks([0, high], count).length).toBeLessThanOrEqual(count + 1);
      }),
    );
  });

  it("has its top at or above every value", () => {
    expect(axisTop(200_000, 156_579)).toBe(225_000);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (value) => {
        expect(axisTop(value)).toBeGreaterThanOrEqual(value);
      }),
    );
  });

  it("has an axis around the given values, even around a single one", () => {
    expect(axisAround([52_300, 60_100], 5)).toEqual({
      domain: [52_000, 62_000],
      ticks: [52_000, 54_000, 56_000, 58_000, 60_000, 62_000],
    });
    expect(axisAround([27_969, 27_969], 5)).toEqual({ domain: [0, 30_000], ticks: [0, 10_000, 20_000, 30_000] });
    expect(axisAround([0], 5)).toEqual({ domain: [0, 1], ticks: [0, 1] });
    expect(axisAround([], 5).domain).toEqual([0, 1]);
    expect(axisAround([0, 11], 5)).toEqual({ domain: [0, 15], ticks: [0, 5, 10, 15] });
  });

  it("has an axis that covers every value, with distinct labels of its ticks", () => {
    const { short } = createFormat("en");
    const values = fc.array(fc.integer({ min: 0, max: 20_000_000 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(values, (generated) => {
        const axis = axisAround(generated, 5);
        expect(axis.domain[0]).toBeLessThanOrEqual(Math.min(...generated));
        expect(axis.domain[1]).toBeGreaterThanOrEqual(Math.max(...generated));
        expect(axis.ticks.length).toBeLessThanOrEqual(7);
        expect(axis.ticks).toEqual(expect.arrayContaining([...axis.domain]));
        const labels = axis.ticks.map(short);
        expect(new Set(labels).size).toBe(labels.length);
      }),
    );
  });
});

it("an axis from 0 ends at a round number and has round ticks, even for fractions", () => {
  expect(axisUpTo(34_000, 4)).toEqual({ top: 40_000, ticks: [0, 10_000, 20_000, 30_000, 40_000] });
  expect(axisUpTo(27.3, 4, 100)).toEqual({ top: 30, ticks: [0, 10, 20, 30] });
  expect(axisUpTo(0.03, 4, 1e6)).toEqual({ top: 0.03, ticks: [0, 0.01, 0.02, 0.03] });
  expect(axisUpTo(0, 4)).toEqual({ top: 1, ticks: [0, 1] });
});
