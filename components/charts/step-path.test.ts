import { describe, expect, it } from "vitest";
import { linearScale } from "./scale";
import { stepArea, stepPath } from "./step-path";

const y = linearScale([0, 100], [100, 0]);

describe("the step path", () => {
  it("holds a value until the next request", () => {
    const x = linearScale([0, 3], [0, 30]);
    expect(stepPath([10, 40, 40], x, y, { from: 0, to: 3 })).toBe("M0 90H10V60H20V60H30");
  });

  it("keeps peak and drop of requests that share a pixel", () => {
    const x = linearScale([0, 10], [0, 1]);
    const path = stepPath([10, 20, 95, 5, 30], x, y, { from: 0, to: 5 });
    expect(path).toContain("V5");
    expect(path).toContain("V95");
    expect(path.endsWith("V70H0.5")).toBe(true);
  });

  it("has a limited number of path commands per pixel, however long the session", () => {
    const values = Int32Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 100);
    const path = stepPath(values, linearScale([0, values.length], [0, 500]), y, { from: 0, to: values.length });
    expect(path.match(/[MHV]/g)?.length).toBeLessThan(250 * 6);
  });

  it("has a gap at an omitted request", () => {
    const x = linearScale([0, 4], [0, 40]);
    const path = stepPath([10, 20, 30, 40], x, y, { from: 0, to: 4, include: (request) => request !== 1 });
    expect(path).toBe("M0 90H10M20 70H30V60H40");
  });

  it("closes an area along the axis", () => {
    const x = linearScale([0, 2], [0, 20]);
    expect(stepArea([10, 20], x, y, { from: 0, to: 2 })).toBe("M0 90H10V80H20V100H0Z");
    expect(stepArea([], x, y, { from: 0, to: 0 })).toBe("");
  });

  it("reaches the size right before a request that follows a larger one", () => {
    const x = linearScale([0, 3], [0, 30]);
    const reached = new Map([
      [1, 90],
      [3, 95],
    ]);
    const path = stepPath([50, 20, 60], x, y, { from: 0, to: 3, reached });
    expect(path).toBe("M0 50H6V10H10V80H20V40H26V5H30");
    const apart = stepPath([50, 20, 60], x, y, { from: 0, to: 3, reached, include: (request) => request !== 1 });
    expect(apart).toBe("M0 50H6V10H10M20 40H26V5H30");
    const narrow = stepPath([50, 20], linearScale([0, 2], [0, 8]), y, { from: 0, to: 2, reached });
    expect(narrow).toBe("M0 50H2V10H4V80H8");
  });
});
