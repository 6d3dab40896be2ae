import { describe, expect, it } from "vitest";
import { noBoundary } from "./no-boundary-line";

const context = [10, 40, 90, 30, 90];

describe("why there is no boundary", () => {
  it("names the first peak and how far it is from the trigger", () => {
    expect(noBoundary(context, 100, false)).toEqual({ reason: "below", peak: 90, request: 2, distance: 10 });
  });

  it("does not say that the trigger was missed where the context went over it", () => {
    expect(noBoundary(context, 90, false)).toEqual({ reason: "counted", peak: 90, request: 2, distance: 0 });
    expect(noBoundary(context, 70, false)).toMatchObject({ reason: "counted", distance: 20 });
  });

  it("has no distance without a trigger", () => {
    expect(noBoundary(context, undefined, false)).toEqual({ reason: "unknown", peak: 90, request: 2 });
    expect(noBoundary(context, 100, true)).toEqual({ reason: "never", peak: 90, request: 2 });
    expect(noBoundary([], undefined, true)).toEqual({ reason: "never", peak: 0, request: 0 });
  });
});
