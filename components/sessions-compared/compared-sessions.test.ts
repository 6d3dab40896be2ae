import { expect, it } from "vitest";
import type { ReplayResult } from "@/lib/queries/contract/types";
import { type ComparedSession, differencesFromList, lineOf, metricsOf, shownMetrics } from "./compared-sessions";

const session = (contextTokens: number[], totals: object = {}): ComparedSession => ({
  id: "a",
  // The page reads only these parts of the answers.
  place: 0,
  facts: {} as ComparedSession["facts"],
  replay: {
    window: { tokens: 200, source: "recorded" },
    compactions: [{}, {}],
    totals,
    series: { request: [], contextTokens, byCategory: {} },
  } as unknown as ReplayResult,
});

it("a line runs over requests or shares of the session, in tokens or shares of the window", () => {
  const one = session([20, 100, 50]);
  expect(lineOf(one, "request", "tokens").map(({ x, y }) => [x, y])).toEqual([
    [0, 20],
    [1, 100],
    [2, 50],
  ]);
  expect(lineOf(one, "share", "window").map(({ x, y }) => [x, y])).toEqual([
    [0, 0.1],
    [0.5, 0.5],
    [1, 0.25],
  ]);
  expect(lineOf(session([7]), "share", "tokens")).toEqual([{ x: 0, y: 7 }]);
});

it("metrics that a session has are shown, but not the final context", () => {
  const totals = { requests: 3, peak: 100, final: 120, costUsd: { total: 1.5, low: 1, high: 2, lowerBound: false } };
  const one = metricsOf(session([], totals));
  const other = metricsOf(session([], { ...totals, summaryCallTokens: 0, costUsd: null }));
  expect(one.metrics).toMatchObject({ requests: 3, peak: 100, compactions: 2, costUsd: 1.5, keptTokens: null });
  expect(other.metrics).toMatchObject({ costUsd: null, summaryCallTokens: null });
  expect(one.bands.costUsd).toMatchObject({ low: 1, high: 2 });
  expect(shownMetrics([one, other]).map(({ key }) => key)).toEqual(["requests", "compactions", "peak", "costUsd"]);
  expect(shownMetrics([other]).map(({ key }) => key)).toEqual(["requests", "compactions", "peak"]);
});

it("requests that the list's cost covers differently are named with that cost", () => {
  const part = (requests: number, total: number) => ({ requests, costUsd: { total } });
  const bill = { own: part(2, 0.03), inherited: part(4, 0.02), branches: part(1, 0.01), compactions: null };
  const facts = (bill: object) => ({ bill }) as unknown as ComparedSession["facts"];
  expect(differencesFromList({ facts: facts(bill), place: 1 })).toEqual([
    { kind: "inherited", count: 4, place: 1, usd: 0.04 },
    { kind: "outsideChain", count: 1, place: 1, usd: 0.04 },
  ]);
  expect(differencesFromList({ facts: facts({ ...bill, inherited: null, branches: null }), place: 0 })).toEqual([]);
});
