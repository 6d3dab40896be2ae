import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundariesBefore } from "./boundary-places";

function placesBefore(places: readonly number[], item: number): readonly [number, number] {
  return boundariesBefore(places.length, (ordinal) => places[ordinal] ?? 0, item);
}

describe("boundaries before an item", () => {
  it("are those that stand right there", () => {
    expect(placesBefore([2, 2, 5], 2)).toEqual([0, 2]);
    expect(placesBefore([2, 2, 5], 3)).toEqual([2, 2]);
    expect(placesBefore([2, 2, 5], 5)).toEqual([2, 3]);
    expect(placesBefore([], 0)).toEqual([0, 0]);
  });

  it("give every boundary to exactly one place", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30), { maxLength: 12 }), (places) => {
        const sorted = places.toSorted((a, b) => a - b);
        const given = Array.from({ length: 31 }, (_, item) => placesBefore(sorted, item)).flatMap(([from, to]) =>
          Array.from({ length: to - from }, (_, step) => from + step),
        );
        expect(given).toEqual(sorted.map((_, ordinal) => ordinal));
      }),
    );
  });
});
