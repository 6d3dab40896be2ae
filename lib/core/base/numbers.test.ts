import fc from "fast-check";
import { expect, test } from "vitest";
import { lowerBound } from "./numbers";

test("lowerBound finds the first value that is not below the limit", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.nat(25), (drawn, limit) => {
      const values = drawn.toSorted((a, b) => a - b);
      const expected = values.filter((value) => value < limit).length;
      expect(lowerBound(values, limit)).toBe(expected);
      expect(lowerBound(Int32Array.from(values), limit)).toBe(expected);
    }),
  );
});
