import { describe, expect, it } from "vitest";
import { boundaryAfter, boundaryNear } from "./lanes";

describe("the boundary that a lane selects", () => {
  const px = (request: number) => request * 10;

  it("is the one nearest to the pointer, within a maximum distance", () => {
    expect(boundaryNear([3, 5, 20], px, 38)).toBe(3);
    expect(boundaryNear([3, 5, 20], px, 45)).toBe(5);
    expect(boundaryNear([3, 5, 20], px, 120)).toBeUndefined();
    expect(boundaryNear([], px, 0)).toBeUndefined();
  });

  it("is the next one when a key is pressed, and the first after the last", () => {
    expect(boundaryAfter([3, 5, 20], null)).toBe(3);
    expect(boundaryAfter([3, 5, 20], 5)).toBe(20);
    expect(boundaryAfter([3, 5, 20], 20)).toBe(3);
    expect(boundaryAfter([], 4)).toBeUndefined();
  });
});
