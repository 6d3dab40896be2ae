import { describe, expect, it } from "vitest";
import { BANDS, type BandSeries } from "./bands";
import { chartRows, MAX_ROWS } from "./chart-rows";

function userBand(values: number[]): BandSeries[] {
  return BANDS.filter(({ id }) => id === "user").map((band) => ({ band, values: Int32Array.from(values) }));
}

describe("rows of the chart", () => {
  it("contain one per request, and one more that ends the last step", () => {
    const rows = chartRows(userBand([5, 7, 9]), [5, 7, 9], [], { from: 0, to: 3 });
    expect(rows).toEqual([
      { request: 0, user: 5 },
      { request: 1, user: 7 },
      { request: 2, user: 9 },
      { request: 3, user: 9 },
    ]);
  });

  it("keep both sides of every boundary, and stay within the maximum number", () => {
    const values = Array.from({ length: 20_000 }, (_, index) => index);
    const boundaries = [777, 12_345, 19_999];
    const rows = chartRows(userBand(values), values, boundaries, { from: 0, to: 20_000 });
    expect(rows.length).toBeLessThanOrEqual(MAX_ROWS);
    const requests = new Set(rows.map(({ request }) => request));
    for (const boundary of boundaries)
      expect([requests.has(boundary - 1), requests.has(boundary)]).toEqual([true, true]);
  });

  it("keep every peak and drop between boundaries", () => {
    const values = Array.from({ length: 20_000 }, () => 100);
    values[5_001] = 9_999;
    values[5_003] = 1;
    const rows = chartRows(userBand(values), values, [], { from: 0, to: 20_000 });
    expect(Math.max(...rows.map((row) => row.user ?? 0))).toBe(9_999);
    expect(Math.min(...rows.map((row) => row.user ?? 0))).toBe(1);
  });

  it("stay within the maximum number even with very many boundaries", () => {
    const values = Array.from({ length: 5_000 }, (_, index) => index % 50);
    const boundaries = values.map((_, index) => index).filter((index) => index % 5 === 0);
    const rows = chartRows(userBand(values), values, boundaries, { from: 0, to: 5_000 });
    expect(rows.length).toBeLessThanOrEqual(MAX_ROWS);
  });

  it("are empty for an empty range", () => {
    expect(chartRows(userBand([]), [], [], { from: 0, to: 0 })).toEqual([]);
  });
});
