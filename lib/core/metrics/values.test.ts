import { expect, test } from "vitest";
import { countedBySize, sizeTokenColumn } from "../columns/token-columns";
import { customPolicy } from "../compaction/policies/custom";
import { nonePolicy } from "../compaction/policies/none";
import { recordedReplay } from "../compaction/policies/recorded";
import type { Policy } from "../compaction/policy/policy";
import { resolveSettings } from "../compaction/policy/settings";
import { replay } from "../compaction/replay";
import { drawColumns } from "../testing/draw";
import { bandsOfTotals } from "./answered";
import { bandsOf, metricsOf } from "./values";

const WINDOW = 1000;

function metrics(drawing: string, policy: Policy, given: Record<string, unknown> = {}) {
  const columns = drawColumns(drawing);
  const specs = policy.settings("default", { window: WINDOW, agent: null });
  const tokens = sizeTokenColumn(columns, "bytes-4");
  const settings = resolveSettings(specs, given);
  const run = replay({ columns, tokens }, policy, settings, { window: WINDOW, counting: "estimate" });
  return metricsOf({
    replay: run,
    window: WINDOW,
    isRecording: false,
    cost: null,
    regret: null,
    bestUsd: null,
    refetched: undefined,
  });
}

test("without a compaction all tokens are kept and there is no cycle", () => {
  expect(metrics("u10 a20 u5 c5 r860 a1 u200 a1", nonePolicy)).toMatchObject({
    requests: 4,
    compactions: 0,
    peak: 1101,
    final: 1101,
    tokensSent: 10 + 35 + 900 + 1101,
    tokensRewritten: 0,
    summaryCallTokens: 0,
    costUsd: null,
    neededAgain: null,
    neededAgainTokens: null,
    requestsOverWindow: 1,
    requestsNearWindow: 2,
    regret: null,
    bestUsd: null,
    shortestCycle: null,
    idleCompactions: null,
    unusedIdle: null,
    keepAliveRequests: null,
    keepAliveUsd: null,
    keptTokens: 1101,
  });
});

test("requests near the window are unknown if only a lower bound of the window is known", () => {
  const columns = drawColumns("u10 a20 u5 a5");
  const run = recordedReplay(countedBySize(columns, "bytes-4"), 40);
  const input = {
    replay: run,
    isRecording: true,
    cost: null,
    regret: null,
    bestUsd: null,
    refetched: undefined,
  } as const;
  expect(metricsOf({ ...input, window: undefined }).requestsNearWindow).toBeNull();
  expect(metricsOf({ ...input, window: 40 }).requestsNearWindow).toBe(1);
});

test("kept tokens are a mean without summaries, and the first cycle starts with the session", () => {
  // Before request 2: 850, of which u50 stays; before request 4: 90 + 10 + u690 + a10 + u30 = 830, of which a10 and u30 stay.
  const given = { keepRecentTokens: 120, summaryTokens: 40 };
  expect(metrics("u100 a300 u100 a300 u50 a10 u690 a10 u30 a1", customPolicy, given)).toMatchObject({
    compactions: 2,
    // Each rewrites only the summary: the kept items entered with the same request.
    tokensRewritten: 2 * 40,
    shortestCycle: 2,
    keptTokens: 45,
  });
});

test("a failed compaction is left out of kept tokens", () => {
  const failed = metrics("u900 a10", customPolicy, { failSummary: "always" });
  expect(failed).toMatchObject({ compactions: 1, keptTokens: 900 });
});

test("kept tokens of a recorded compaction do not include its summary", () => {
  const columns = drawColumns("u500 a300 @500 u10 B s40 u60 a1 @100");
  const recorded = recordedReplay(countedBySize(columns, "bytes-4"), WINDOW);
  expect(
    metricsOf({
      replay: recorded,
      window: WINDOW,
      isRecording: true,
      cost: null,
      regret: null,
      bestUsd: null,
      refetched: undefined,
    }),
  ).toMatchObject({
    compactions: 1,
    keptTokens: 60,
    shortestCycle: 1,
    summaryCallTokens: null,
  });
});

test("the hindsight optimum's cost is a lower bound if the cost is one, in answers too", () => {
  const columns = drawColumns("u10 a20");
  const own = replay(
    countedBySize(columns, "bytes-4"),
    nonePolicy,
    resolveSettings(nonePolicy.settings("default", { window: WINDOW, agent: null }), {}),
    { window: WINDOW, counting: "estimate" },
  );
  const cost = { total: 3, low: 3, high: 4, lowerBound: true };
  const input = {
    replay: own,
    window: WINDOW,
    isRecording: false,
    cost,
    regret: 0.5,
    bestUsd: 2,
    refetched: undefined,
  };
  const least = { low: 2, high: 2, lowerBound: true };
  expect(bandsOf(input).bestUsd).toEqual(least);
  expect(bandsOfTotals({ costUsd: cost, bestUsd: 2 }).bestUsd).toEqual(least);
  expect(bandsOfTotals({ costUsd: { ...cost, lowerBound: false }, bestUsd: 2 }).bestUsd).toBeUndefined();
  expect(bandsOfTotals({ costUsd: null, bestUsd: null }).bestUsd).toBeUndefined();
});
