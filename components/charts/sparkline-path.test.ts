import { describe, expect, it } from "vitest";
import { sparkPaths } from "./sparkline-path";

describe("sparkPaths", () => {
  it("draws steps between the floor at 22 and the window at 4", () => {
    const { line, area } = sparkPaths({ share: [0, 500, 1000, 250], boundaries: [] }, 400);
    expect(line).toBe("M0 22H52V13H104V4H156V17.5H208");
    expect(area).toBe(`${line}V22H0Z`);
  });

  it("is as wide as its number of requests, up to a maximum", () => {
    expect(sparkPaths({ share: [100, 100], boundaries: [] }, 2).line).toBe("M0 20.2H5.2V20.2H10.4");
    expect(sparkPaths({ share: [100], boundaries: [] }, 10_000).line).toContain("H208");
  });

  it("draws a line with a foot at every boundary, within the drawn width", () => {
    expect(sparkPaths({ share: [1, 1], boundaries: [0.5] }, 400).ticks).toBe("M104 1V23M101 22.5h6");
    expect(sparkPaths({ share: [1, 1], boundaries: [0.5, 2] }, 10).ticks).toBe("M26 1V23M23 22.5h6M52 1V23M49 22.5h6");
  });

  it("draws a short line for each boundary if their feet would touch", () => {
    expect(sparkPaths({ share: [1, 1], boundaries: [0.5, 0.52] }, 400).ticks).toBe("M104 19V23M108.2 19V23");
  });

  it("stays inside the row if the context is above the window", () => {
    expect(sparkPaths({ share: [5000], boundaries: [] }, 1).line).toBe("M0 0.5H5.2");
  });

  it("draws nothing without requests", () => {
    expect(sparkPaths({ share: [], boundaries: [] }, 0)).toMatchObject({ line: "", area: "", ticks: "" });
  });
});
