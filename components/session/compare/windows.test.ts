import { describe, expect, it } from "vitest";
import { overlayTop, windowLevels } from "./window-levels";

describe("windows of the compared runs", () => {
  it("form one level if equal, with the runs that have them", () => {
    expect(windowLevels([200_000, 200_000])).toEqual([{ tokens: 200_000, runs: [0, 1] }]);
    expect(windowLevels([200_000, 258_400, 200_000])).toEqual([
      { tokens: 200_000, runs: [0, 2] },
      { tokens: 258_400, runs: [1] },
    ]);
  });

  it("set a round end of the axis, unless a line crosses it", () => {
    expect(overlayTop(156_579, [200_000])).toBe(200_000);
    expect(overlayTop(200_000, [200_000])).toBeGreaterThan(200_000);
    expect(overlayTop(156_579, [258_400])).toBeGreaterThan(258_400);
  });

  it("extend the axis only if the lines stay readable", () => {
    expect(overlayTop(156_579, [200_000, 400_000])).toBe(400_000);
    expect(overlayTop(156_579, [200_000, 1_000_000])).toBe(200_000);
    expect(overlayTop(244_000, [200_000, 1_000_000])).toBeLessThan(300_000);
  });

  it("do not extend the axis if they are far above a small session", () => {
    expect(overlayTop(5_000, [200_000, 200_000])).toBe(6_000);
  });
});
