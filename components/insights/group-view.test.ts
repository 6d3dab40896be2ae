import { expect, it } from "vitest";
import {
  barOf,
  binsOf,
  type Distribution,
  drawnGroups,
  evenEdges,
  type Group,
  groupFilter,
  growingEdges,
  partsOf,
  percentileOf,
  writtenPart,
} from "./group-view";

function group(value: string | null, part: Partial<Group> = {}): Group {
  return {
    value,
    sessions: 1,
    copies: 0,
    bytes: 1,
    requests: 1,
    compactions: 2,
    compactingMs: 71_000,
    input: null,
    output: null,
    sent: null,
    cacheRead: null,
    cacheWrite: null,
    neededAgain: null,
    neededAgainTokens: null,
    costUsd: null,
    pricedUsd: 3,
    unpriced: 1,
    lowerBounds: 0,
    peak: null,
    breaksByCause: [],
    ...part,
  };
}

it("days are drawn from left to right, and of other groups the twelve most frequent", () => {
  const days = ["2026-01-03", "2026-01-02"].map((value) => group(value));
  expect(drawnGroups(days, "day").map(({ value }) => value)).toEqual(["2026-01-02", "2026-01-03"]);
  expect(
    drawnGroups(
      Array.from({ length: 30 }, (_, at) => group(`${at}`)),
      "model",
    ),
  ).toHaveLength(12);
});

it("sessions without a date are left out of the days", () => {
  const days = [group("2026-01-02"), group("2026-01-01"), group(null)];
  expect(drawnGroups(days, "day").map(({ value }) => value)).toEqual(["2026-01-01", "2026-01-02"]);
});

it("a day long before all others is left out if it would take half of the axis", () => {
  const days = Array.from({ length: 10 }, (_, at) => group(`2026-01-${10 + at}`)).toReversed();
  expect(drawnGroups([...days, group("2024-05-01")], "day")).toHaveLength(10);
  expect(drawnGroups([...days, group("2026-01-05")], "day")).toHaveLength(11);
  expect(drawnGroups([...days.slice(0, 5), group("2024-05-01")], "day")).toHaveLength(6);
});

it("a bar has only known parts: a first request is not a cache miss, and an unknown part is absent", () => {
  const broken = group("a", {
    breaksByCause: [
      { cause: "first", count: 1, tokens: 900, usd: 0 },
      { cause: "idle", count: 1, tokens: 100, usd: 1 },
      { cause: "compaction", count: 1, tokens: 50, usd: 1 },
    ],
  });
  expect(partsOf("breaks", [broken])).toEqual(["compaction", "idle"]);
  expect(barOf("breaks", broken)).toMatchObject({ total: 150, parts: { idle: 100, compaction: 50 } });
  expect(barOf("neededAgain", broken)).toMatchObject({ total: null, parts: {} });
  expect(barOf("cost", broken)).toMatchObject({ total: 3 });
});

it("a bar of peaks ends at the 95th percentile, and its two parts are median and 95th percentile", () => {
  const peaked = group("a", { peak: { p50: 10, p75: 20, p95: 30 } });
  expect(barOf("peak", peaked)).toMatchObject({ total: 30, parts: { p50: 10, p95: 20 } });
  expect(["p50", "p95"].map((part) => writtenPart("peak", peaked, part))).toEqual([10, 30]);
  expect(writtenPart("cost", peaked, "total")).toBe(3);
});

it("a group links to its sessions if the list can filter by it", () => {
  expect(groupFilter("day", "2026-01-02")).toEqual({ where: "day=2026-01-02" });
  expect(groupFilter("model", "opus")).toEqual({ model: "opus" });
  expect(groupFilter("agent", null)).toEqual({ where: "agent=" });
  expect(groupFilter("project", null)).toBeUndefined();
});

it("a percentile is the value of an actual session", () => {
  const of = { sessions: 3, unknown: 1, points: [[10, 1], [20, 2], [30, 3]] as [number, number][] }; // biome-ignore format: a row of points
  expect([0.5, 0.75, 0.95].map((share) => percentileOf(of, share))).toEqual([20, 30, 30]);
  expect(percentileOf({ sessions: 0, unknown: 4, points: [] }, 0.5)).toBeUndefined();
});

/** Points of a distribution with these values. */
function spread(...values: readonly number[]): Distribution {
  return { sessions: values.length, unknown: 0, points: values.map((value, at) => [value, at + 1]) };
}

it("a histogram counts every session once, in bins of round width", () => {
  const peaks = spread(4000, 20_000, 20_000, 39_999, 190_000);
  const edges = evenEdges(peaks);
  expect([edges[1], edges.at(-1), edges.length]).toEqual([20_000, 200_000, 11]);
  const bins = binsOf(peaks, edges);
  expect(bins.map(({ sessions }) => sessions)).toEqual([1, 3, 0, 0, 0, 0, 0, 0, 0, 1]);
  expect(bins[1]).toEqual({ from: 20_000, to: 40_000, sessions: 3 });
});

it("bin edges grow with the values, from the smallest one to beyond the largest", () => {
  expect(growingEdges(spread(3, 40, 700))).toEqual([2, 5, 10, 20, 50, 100, 200, 500, 1000]);
  expect(growingEdges(spread(0, 0.3, 6))).toEqual([0, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]);
  expect(growingEdges(spread(0))).toEqual([0, 1]);
  const costs = spread(0, 0.3, 5, 6);
  expect(binsOf(costs, growingEdges(costs)).reduce((sum, { sessions }) => sum + sessions, 0)).toBe(4);
});
