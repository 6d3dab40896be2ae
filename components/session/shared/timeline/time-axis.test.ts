import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placedScale } from "@/components/charts/scale";
import { timePlaces } from "./geometry";

const MINUTE = 60_000;

describe("the time axis", () => {
  it("places requests by their times, and shortens a long pause", () => {
    const axis = timePlaces([0, MINUTE, 4 * MINUTE, 604 * MINUTE, 605 * MINUTE], 5);
    expect(axis?.idle).toEqual([{ request: 2, ms: 600 * MINUTE }]);
    expect([...(axis?.places ?? [])].map((place) => place / MINUTE)).toEqual([0, 1, 4, 4.25, 5.25, 5.25 + 5.25 / 4]);
  });

  it("puts a request without a time or with an earlier time at its predecessor", () => {
    const axis = timePlaces([0, Number.NaN, 2000, 1000, 3000], 5);
    expect([...(axis?.places ?? [])].slice(0, 5)).toEqual([0, 0, 2000, 2000, 3000]);
  });

  it("is absent if fewer than two times are known", () => {
    expect(timePlaces([Number.NaN, 5], 2)).toBeUndefined();
    expect(timePlaces([], 1)).toBeUndefined();
  });

  it("never goes backwards, limits the width of idle gaps, and maps a pixel back to its request", () => {
    const times = fc.array(fc.oneof(fc.integer({ min: 0, max: 10_000_000 }), fc.constant(Number.NaN)), {
      minLength: 2,
      maxLength: 60,
    });
    fc.assert(
      fc.property(times, (at) => {
        const axis = timePlaces(at, at.length);
        if (axis === undefined) return;
        const { places, idle } = axis;
        for (let one = 1; one < places.length; one++) expect(places[one]).toBeGreaterThanOrEqual(places[one - 1] ?? 0);
        const widths = idle.map(({ request }) => (places[request + 1] ?? 0) - (places[request] ?? 0));
        const gaps = widths.reduce((sum, width) => sum + width, 0);
        expect(gaps).toBeLessThanOrEqual(((places[at.length - 1] ?? 0) - gaps) * 0.5 + 2);
        const scale = placedScale(places, [0, at.length], [10, 510]);
        expect(scale.px(0)).toBe(10);
        expect(scale.px(at.length)).toBeCloseTo(510, 6);
        for (let one = 0; one < at.length; one++) {
          if ((places[one + 1] ?? 0) - (places[one] ?? 0) < 1) continue;
          expect(scale.value(scale.px(one + 0.5))).toBeCloseTo(one + 0.5, 3);
        }
      }),
    );
  });
});
