import { describe, expect, it } from "vitest";
import { noBoundary } from "./no-boundary-line";

const context = [10, 40, 90, 30, 90];

describe("the reason for a session without boundaries", () => {
  it("states the first peak and its distance from the trigger", () => {
    expect(noBoundary(context, 100, false)).toEqual({ reason: "below", peak: 90, request: 2, distance: 10 });
  });

  it("does not claim that the trigger was missed if the context exceeded it", () => {
    expect(noBoundary(context, 90, false)).toEqual({ reason: "counted", peak: 90, request: 2, distance: 0 });
    expect(noBoundary(context, 70, false)).toMatchObject({ reason: "counted", distance: 20 });
  });

  it("has no distance if there is no trigger", () => {
    expect(noBoundary(context, undefined, false)).toEqual({ reason: "unknown", peak: 90, request: 2 });
    expect(noBoundary(context, 100, true)).toEqual({ reason: "never", peak: 90, request: 2 });
    expect(noBoundary([], undefined, true)).toEqual({ reason: "never", peak: 0, request: 0 });
  });
});
