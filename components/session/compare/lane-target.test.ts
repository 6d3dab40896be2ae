import { describe, expect, it } from "vitest";
import { boundaryAfter, boundaryNear } from "./lanes";

describe("the target on a lane of boundaries", () => {
  const px = (request: number) => request * 10;

  it("is the mark nearest to the pointer, and none beyond the limit", () => {
    expect(boundaryNear([3, 5, 20], px, 38)).toBe(3);
    expect(boundaryNear([3, 5, 20], px, 45)).toBe(5);
    expect(boundaryNear([3, 5, 20], px, 120)).toBeUndefined();
    expect(boundaryNear([], px, 0)).toBeUndefined();
  });

  it("is the next one for the keyboard, and the first after the last", () => {
    expect(boundaryAfter([3, 5, 20], null)).toBe(3);
    expect(boundaryAfter([3, 5, 20], 5)).toBe(20);
    expect(boundaryAfter([3, 5, 20], 20)).toBe(3);
    expect(boundaryAfter([], 4)).toBeUndefined();
  });
});
