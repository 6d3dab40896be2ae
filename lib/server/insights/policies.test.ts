import { expect, it } from "vitest";
import type { ReplayMetrics } from "@/lib/queries/replays/session-replays";
import type { SessionReplays } from "../threads/tasks";
import { policiesOver } from "./policies";

function replayed(usd: number | null, tokens = 100, lowerBound = false): ReplayMetrics {
  const parts = { read: 0, write: 0, plain: 0, output: usd, summaryCalls: 0, low: usd ?? 0, high: usd ?? 0 };
  return {
    set: {},
    compactions: 1,
    thrashes: false,
    totals: {
      requests: 9,
      peak: 9,
      tokensSent: tokens,
      summaryCallTokens: 0,
      requestsOverWindow: 0,
      neededAgain: 1,
      neededAgainTokens: 10,
      costUsd: { ...parts, total: usd, priced: usd !== null, lowerBound },
    },
  };
}

function session(runs: readonly ReplayMetrics[]): SessionReplays {
  return { facts: { file: "f", sessionId: "s", agent: null, project: "/p", requests: 9 }, runs };
}

it("the comparison counts the sessions in its sums whose costs are lower bounds", async () => {
  const least = (usd: number | null) => session([replayed(4, 100, true), replayed(usd, 100, true)]);
  const found = await policiesOver(
    [
      { file: "least", answer: least(2) },
      { file: "in no sum", answer: least(null) },
      { file: "whole", answer: session([replayed(4), replayed(2)]) },
    ],
    [{ policy: "none" }, { policy: "custom" }],
    1,
  );
  expect([found.lowerBounds, found.rows[0]?.cost?.sessions]).toEqual([1, 2]);
});

it("a session that lacks a metric under one policy is named, and left out of that sum", async () => {
  const found = await policiesOver(
    [
      { file: "whole", answer: session([replayed(4), replayed(2)]) },
      { file: "unpriced", answer: session([replayed(4), replayed(null)]) },
      { file: "broken", answer: new Error("unreadable") },
    ],
    [{ policy: "none" }, { policy: "custom" }],
    1,
  );
  expect(found.without).toEqual({ cost: ["unpriced"], tokens: [], neededAgain: [] });
  expect(found.leftOut).toEqual([{ file: "broken", why: "unreadable" }]);
  const [first, second] = found.rows;
  expect([first?.cost?.sessions, first?.cost?.total, second?.cost?.total]).toEqual([1, 4, 2]);
  expect([second?.cost?.saving?.estimate, second?.tokens?.sessions, second?.tokens?.total]).toEqual([0.5, 2, 200]);
});
