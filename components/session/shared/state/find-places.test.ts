import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextPlace, placeNumber } from "./find";

describe("the selected match of a search", () => {
  it("moves in both directions, and from the last match to the first", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(60), { minLength: 1 }), fc.nat(60), (generated, item) => {
        const places = generated.toSorted((a, b) => a - b);
        expect(nextPlace(places, item, 1)).toBe(places.find((place) => place > item) ?? places[0]);
        expect(nextPlace(places, item, -1)).toBe(places.findLast((place) => place < item) ?? places.at(-1));
        expect(placeNumber(places, item)).toBe(places.indexOf(item) + 1);
      }),
    );
  });

  it("is absent if there are no matches", () => {
    expect(nextPlace([], 3, 1)).toBeUndefined();
    expect(nextPlace([], 3, -1)).toBeUndefined();
    expect(placeNumber([], 3)).toBe(0);
  });
});
