import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundariesBefore } from "./inline-boundaries";

function placesBefore(places: readonly number[], after: number, last: number): readonly [number, number] {
  return boundariesBefore(places.length, (ordinal) => places[ordinal] ?? 0, after, last);
}

describe("boundaries between two items", () => {
  it("are those after the first item, up to and including the second", () => {
    expect(placesBefore([2, 2, 5], 1, 2)).toEqual([0, 2]);
    expect(placesBefore([2, 2, 5], 2, 3)).toEqual([2, 2]);
    expect(placesBefore([2, 2, 5], 2, 7)).toEqual([2, 3]);
    expect(placesBefore([], -1, 0)).toEqual([0, 0]);
  });

  it("are each at exactly one place", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30), { maxLength: 12 }), fc.uniqueArray(fc.nat(30)), (places, rows) => {
        const sorted = places.toSorted((a, b) => a - b);
        const ends = [...rows.filter((row) => row < 30).toSorted((a, b) => a - b), 30];
        const given = ends
          .map((item, row) => placesBefore(sorted, ends[row - 1] ?? -1, item))
          .flatMap(([from, to]) => Array.from({ length: to - from }, (_, step) => from + step));
        expect(given).toEqual(sorted.map((_, ordinal) => ordinal));
      }),
    );
  });
});
