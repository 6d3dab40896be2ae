import { expect, test } from "vitest";
import { pricedRequests } from "@/lib/core/cost/priced-requests";
import { recordedCost, totalOf } from "@/lib/core/cost/recorded-cost";
import { costBasis } from "@/lib/core/cost/simulated-cost";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { type DrawnRequest, drawRequests } from "@/lib/core/testing/draw-requests";
import { COMPARED_ROWS, comparedFigure, recordedWith, simulatedWith } from "./comparison";

const DRAWN: readonly DrawnRequest[] = [
  { write: 10_000, output: 100 },
  { at: 20, write: 11_000, output: 100 },
  { at: 21, read: 11_000, write: 4000, output: 100 },
];

function session(drawn: readonly DrawnRequest[]) {
  const columns = drawRequests(drawn);
  return { columns, requests: pricedRequests(columns, LISTED_PRICES) };
}

const SENT = { context: Int32Array.of(10_000, 11_000, 15_000), shared: Int32Array.of(0, 10_000, 11_000) };

test("what was recorded is the session's cost, and another lifetime mends the gaps that it outlives", () => {
  const { columns, requests } = session(DRAWN);
  const { cost } = recordedCost(requests);
  const recorded = recordedWith(columns, requests, "recorded");
  expect(comparedFigure(recorded, "total")).toBe(cost && totalOf(cost));
  expect(comparedFigure(recorded, "summaryCalls")).toBeUndefined();
  const long = recordedWith(columns, requests, "1h");
  expect(long.cost?.read).toBe(10_500);
  expect(long.cost?.output).toBe(cost?.output);
});

test("the rows of a simulation sum to its total, calls included, which lies within its band", () => {
  const { columns, requests } = session(DRAWN);
  const compactions = [{ request: 2, summaryCallTokens: 5000, summaryTokens: 300 }];
  const found = simulatedWith(columns, costBasis(columns, requests), { ...SENT, compactions }, true);
  const [total, ...parts] = COMPARED_ROWS.map((row) => comparedFigure(found, row) ?? Number.NaN);
  expect(found.summaryCalls).toBeGreaterThan(0);
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(total);
  expect(found.band?.low).toBeLessThanOrEqual(total ?? Number.NaN);
  expect(found.band?.high).toBeGreaterThanOrEqual(total ?? Number.NaN);
});

test("the recorded policy costs what was recorded, and without a price nothing is a number", () => {
  const { columns, requests } = session(DRAWN);
  const run = { context: SENT.context, compactions: [] };
  const basis = costBasis(columns, requests, "5m");
  expect(simulatedWith(columns, basis, run, undefined)).toEqual(recordedWith(columns, requests, "5m"));
  const unknown = session(DRAWN.map((one) => ({ ...one, model: "nobody-knows" })));
  const without = costBasis(unknown.columns, unknown.requests, "5m");
  const found = simulatedWith(unknown.columns, without, { ...SENT, compactions: [] }, undefined);
  expect(COMPARED_ROWS.map((row) => comparedFigure(found, row))).toEqual(COMPARED_ROWS.map(() => undefined));
  expect(found.band).toBeUndefined();
});

test("where no request records what it wrote, that is no figure, and no 0", () => {
  const columns = drawRequests([{ model: "gpt-5.2", plain: 10_000 }]);
  columns.requests.cacheWrite.fill(-1);
  const requests = pricedRequests(columns, LISTED_PRICES);
  const recorded = recordedWith(columns, requests, "recorded");
  expect(recorded.cost).toBeDefined();
  expect(comparedFigure(recorded, "write")).toBeUndefined();
});
