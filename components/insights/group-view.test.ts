import { expect, it } from "vitest";
import { barOf, drawnGroups, type Group, groupFilter, partsOf, percentileOf } from "./group-view";

function group(value: string | null, part: Partial<Group> = {}): Group {
  return {
    value,
    sessions: 1,
    copies: 0,
    bytes: 1,
    requests: 1,
    compactions: 2,
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

it("days are drawn from left to right; of other groups the most frequent", () => {
  const days = ["c", "b", "a"].map((value) => group(value));
  expect(drawnGroups(days, "day").map(({ value }) => value)).toEqual(["a", "b", "c"]);
  expect(
    drawnGroups(
      Array.from({ length: 30 }, (_, at) => group(`${at}`)),
      "model",
    ),
  ).toHaveLength(12);
});

it("a bar has the known parts: a first request is no cache miss, and an unknown part is not 0", () => {
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
  expect(barOf("peak", group("a", { peak: { p50: 1, p75: 2, p95: 3 } })).total).toBe(3);
});

it("a group opens its sessions if the list can select them", () => {
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
