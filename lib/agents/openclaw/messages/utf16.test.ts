import fc from "fast-check";
import { expect, it } from "vitest";
import { sliceWhole, truncateWhole } from "./utf16";

/** Texts of units at and next to the edges of both surrogate ranges, paired and alone. */
const text = fc
  .array(fc.constantFrom(0x61, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000), { maxLength: 12 })
  .map((units) => String.fromCharCode(...units));

/** The code points that lie completely within both edges, as `for of` splits them. */
function pointsWithin(whole: string, from: number, to: number): string {
  let at = 0;
  let within = "";
  for (const point of whole) {
    if (at >= from && at + point.length <= to) within += point;
    at += point.length;
  }
  return within;
}

it("a slice keeps the code points that lie within its edges", () => {
  const property = fc.property(text, fc.nat(14), fc.nat(14), (whole, from, to) => {
    expect(sliceWhole(whole, from, to)).toBe(pointsWithin(whole, from, to));
    expect(sliceWhole(whole, from)).toBe(pointsWithin(whole, from, whole.length));
    expect(truncateWhole(whole, to)).toBe(pointsWithin(whole, 0, to));
  });
  fc.assert(property, { numRuns: 1000 });
});

it("a slice counts a negative start from the end, but not beyond the beginning", () => {
  const property = fc.property(text, fc.integer({ min: 1, max: 14 }), (whole, units) => {
    expect(sliceWhole(whole, -units)).toBe(pointsWithin(whole, whole.length - units, whole.length));
  });
  fc.assert(property, { numRuns: 500 });
  // `slice(-0)` takes everything, as it does in the program.
  expect(sliceWhole("abc", -0)).toBe("abc");
});

it("a truncation rounds its limit down to whole units, and is empty below one", () => {
  expect(truncateWhole("abc", -1)).toBe("");
  expect(truncateWhole("abc", 1.9)).toBe("a");
  expect(truncateWhole("a😀", 2.5)).toBe("a");
  expect(truncateWhole("abc", Number.POSITIVE_INFINITY)).toBe("abc");
});
