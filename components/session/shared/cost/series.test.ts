import fc from "fast-check";
import { expect, test } from "vitest";
import { pricedRequests } from "@/lib/core/cost/priced-requests";
import { recordedCost, totalOf } from "@/lib/core/cost/recorded-cost";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { arbitraryRequests } from "@/lib/core/testing/arbitrary-requests";
import { drawRequests } from "@/lib/core/testing/draw-requests";
import { costBars, costSeries, simulatedCostSeries, sumOfParts } from "./series";

const priced = (drawn: Parameters<typeof drawRequests>[0]) => pricedRequests(drawRequests(drawn), LISTED_PRICES);

test("a request's parts are in dollars or tokens, and absent without price or usage", () => {
  const requests = priced([
    { read: 1_000_000, write: 2000, long: 1000, plain: 3, output: 7 },
    { model: "nobody-knows", plain: 10 },
    { usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } },
  ]);
  const tokens = costSeries(requests, 3, "tokens");
  expect(tokens[0]).toMatchObject({ read: 1_000_000, plain: 3, output: 7 });
  expect(tokens[0]?.write).toBe(3000);
  expect(tokens[1]).toMatchObject({ plain: 10 });
  const usd = costSeries(requests, 3, "usd");
  expect(usd[0]?.read).toBe(500_000);
  expect([usd[1], usd[2]]).toEqual([undefined, undefined]);
});

test("the columns of all requests sum to the session's total", () => {
  fc.assert(
    fc.property(arbitraryRequests, (drawn) => {
      const requests = priced(drawn);
      const { cost } = recordedCost(requests);
      fc.pre(cost !== undefined);
      const bars = costBars(costSeries(requests, drawn.length, "usd"), 0, drawn.length, drawn.length);
      expect(bars.reduce((sum, { parts }) => sum + sumOfParts(parts), 0)).toBe(cost && totalOf(cost));
    }),
  );
});

test("a simulated summary call belongs to the next request, and unknown parts are absent", () => {
  const cost = { read: 5, write: 6, plain: 0, output: 1 };
  const tokens = { write: 60, plain: 0, output: 10 };
  const simulated = {
    requests: [
      { request: 0, read: 50, ...tokens, cost },
      { request: 1, read: undefined, ...tokens, cost: undefined },
    ],
    calls: [7],
    boundaries: [],
  };
  const calls = [{ request: 0, summaryCallTokens: 90, summaryTokens: 9 }];
  expect(simulatedCostSeries(simulated, calls, 2, "usd")).toEqual([{ ...cost, call: 7 }, undefined]);
  expect(simulatedCostSeries(simulated, calls, 2, "tokens")).toEqual([{ read: 50, ...tokens, call: 99 }, undefined]);
  expect(sumOfParts({ ...cost, call: 7 })).toBe(19);
});

test("of several requests in one pixel column the most expensive is drawn", () => {
  const series = [5, 1, 9, 2, 3].map((read) => ({ read, write: 0, plain: 0, output: 0 }));
  const bars = costBars(series, 0, 5, 2);
  expect(bars.map(({ from, to, request }) => [from, to, request])).toEqual([
    [0, 3, 2],
    [3, 5, 4],
  ]);
  expect(costBars([undefined, undefined], 0, 2, 10)).toEqual([]);
});
