import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWhole, MIN_REQUESTS, moved, rangeBetween, rangeShowing, rangeWithin, zoomed, zoomedAtPlace } from "./zoom";

describe("the zoomed range", () => {
  it("is the whole session if the range in the address is missing or invalid", () => {
    expect(rangeWithin(198, null, null)).toEqual({ from: 0, to: 198 });
    expect(rangeWithin(198, 500, 20)).toEqual({ from: 194, to: 198 });
    expect(rangeWithin(2, 1, 1)).toEqual({ from: 0, to: 2 });
    expect(isWhole(rangeWithin(198, null, 5000), 198)).toBe(true);
  });

  it("keeps the request under the pointer in its place", () => {
    expect(zoomed({ from: 0, to: 100 }, 100, 50, 0.5)).toEqual({ from: 25, to: 75 });
    expect(zoomed({ from: 25, to: 75 }, 100, 50, 2)).toEqual({ from: 0, to: 100 });
    expect(zoomed({ from: 0, to: 100 }, 100, 0, 0.5)).toEqual({ from: 0, to: 50 });
  });

  it("keeps the position under the pointer, on an axis of requests or of time", () => {
    expect(zoomedAtPlace({ from: 0, to: 100 }, 100, 0.5, 0.5)).toEqual({ from: 25, to: 75 });
    expect(zoomedAtPlace({ from: 0, to: 100 }, 100, 1, 0.5)).toEqual({ from: 50, to: 100 });
    // The last ten requests took as long as all the others.
    const places = Array.from({ length: 101 }, (_, request) => (request <= 90 ? request : 90 + (request - 90) * 9));
    expect(zoomedAtPlace({ from: 0, to: 100 }, 100, 1, 0.5, places)).toEqual({ from: 90, to: 100 });
  });

  it("changes by at least one request, and is at most the whole session", () => {
    expect(zoomedAtPlace({ from: 10, to: 16 }, 100, 0.2, 0.99)).toEqual({ from: 10, to: 15 });
    expect(zoomedAtPlace({ from: 10, to: 16 }, 100, 0.8, 1.01)).toEqual({ from: 9, to: 16 });
    expect(zoomedAtPlace({ from: 0, to: 100 }, 100, 0.5, 2)).toEqual({ from: 0, to: 100 });
  });

  it("spans the requests between two given ones, in either order", () => {
    expect(rangeBetween(100, 30, 20)).toEqual({ from: 20, to: 30 });
    expect(rangeBetween(100, 99, 100)).toEqual({ from: 96, to: 100 });
    expect(rangeBetween(2, 1, 1)).toEqual({ from: 0, to: 2 });
  });

  it("moves without a change of width, and stops at the ends", () => {
    expect(moved({ from: 10, to: 20 }, 100, 5)).toEqual({ from: 15, to: 25 });
    expect(moved({ from: 10, to: 20 }, 100, -50)).toEqual({ from: 0, to: 10 });
    expect(moved({ from: 10, to: 20 }, 100, 500)).toEqual({ from: 90, to: 100 });
  });

  it("moves only if the request to show is outside it", () => {
    expect(rangeShowing({ from: 10, to: 20 }, 100, 12)).toEqual({ from: 10, to: 20 });
    expect(rangeShowing({ from: 10, to: 20 }, 100, 50)).toEqual({ from: 45, to: 55 });
  });

  it("always stays within the session", () => {
    const requests = fc.integer({ min: 1, max: 5000 });
    fc.assert(
      fc.property(
        requests,
        fc.nat(6000),
        fc.nat(6000),
        fc.nat(6000),
        fc.constantFrom(0.5, 2),
        (n, a, b, at, factor) => {
          const start = rangeWithin(n, a, b);
          const around = Math.min(at, n - 1);
          const wheeled = zoomedAtPlace(start, n, around / n, factor);
          expect(wheeled.to - wheeled.from).toBeGreaterThanOrEqual(Math.min(MIN_REQUESTS, n));
          for (const range of [start, wheeled, zoomed(start, n, around, factor), rangeShowing(start, n, around)]) {
            expect(range.from).toBeGreaterThanOrEqual(0);
            expect(range.to).toBeLessThanOrEqual(n);
            expect(range.to).toBeGreaterThan(range.from);
          }
        },
      ),
    );
  });
});
