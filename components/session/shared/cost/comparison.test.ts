import { expect, test } from "vitest";
import { policyById } from "@/lib/agents/registry";
import { assertDefined } from "@/lib/core/base/assert";
import { pricedRequests } from "@/lib/core/cost/priced-requests";
import { recordedCost, totalOf } from "@/lib/core/cost/recorded-cost";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { type DrawnRequest, drawRequests } from "@/lib/core/testing/draw-requests";
import type { CostTerms } from "@/lib/queries/cost/cost-terms";
import { ReplayCosts } from "@/lib/queries/cost/simulated-cost";
import { compactionAt } from "../../testing/boundaries";
import { COMPARED_ROWS, comparedMetric, recordedWith, simulatedWith } from "./comparison";

const DRAWN: readonly DrawnRequest[] = [
  { write: 10_000, output: 100 },
  { at: 20, write: 11_000, output: 100 },
  { at: 21, read: 11_000, write: 4000, output: 100 },
];

function session(drawn: readonly DrawnRequest[], terms: CostTerms = {}) {
  const columns = drawRequests(drawn);
  const costs = new ReplayCosts({ columns }, LISTED_PRICES, terms);
  return { columns, costs, requests: costs.requests };
}

/** Codex' call for a summary begins with the context that was sent before it. */
const PREPARED = { policy: assertDefined(policyById("codex"), "codex"), settings: {} };

const SENT = {
  context: Int32Array.of(10_000, 11_000, 15_000),
  shared: Int32Array.of(0, 10_000, 11_000),
  estimated: Uint8Array.of(1, 1, 1),
};

test("the recorded column equals the session's cost, and a longer TTL avoids misses after short pauses", () => {
  const { columns, requests } = session(DRAWN);
  const { cost } = recordedCost(requests);
  const recorded = recordedWith(columns, requests, "recorded");
  expect(comparedMetric(recorded, "total")).toBe(cost && totalOf(cost));
  expect(comparedMetric(recorded, "summaryCalls")).toBeUndefined();
  const long = recordedWith(columns, requests, "1h");
  expect(long.cost?.read).toBe(10_500);
  expect(long.cost?.output).toBe(cost?.output);
});

test("the parts of a simulation, summary calls included, sum to its total, which lies in its range", () => {
  const { columns, costs } = session(DRAWN);
  const compactions = [compactionAt(2, { summaryCallTokens: 5000, summaryTokens: 300 })];
  const found = simulatedWith(columns, costs, PREPARED, { ...SENT, compactions });
  const [total, ...parts] = COMPARED_ROWS.map((row) => comparedMetric(found, row) ?? Number.NaN);
  expect(found.summaryCalls).toBeGreaterThan(0);
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(total);
  expect(found.band?.low).toBeLessThanOrEqual(total ?? Number.NaN);
  expect(found.band?.high).toBeGreaterThanOrEqual(total ?? Number.NaN);
});

test("a replay of the recorded contexts costs the recorded amount; without prices every cost is absent", () => {
  const { columns, costs, requests } = session(DRAWN, { ttl: "5m" });
  const { shared: _shared, ...run } = { ...SENT, compactions: [] };
  expect(simulatedWith(columns, costs, PREPARED, run)).toEqual(recordedWith(columns, requests, "5m"));
  const unknown = session(
    DRAWN.map((one) => ({ ...one, model: "nobody-knows" })),
    { ttl: "5m" },
  );
  const found = simulatedWith(unknown.columns, unknown.costs, PREPARED, { ...SENT, compactions: [] });
  expect(COMPARED_ROWS.map((row) => comparedMetric(found, row))).toEqual(COMPARED_ROWS.map(() => undefined));
  expect(found.band).toBeUndefined();
});

test("cache writes that are not recorded are absent, not 0", () => {
  const columns = drawRequests([{ model: "gpt-5.2", plain: 10_000 }]);
  columns.requests.cacheWrite.fill(-1);
  const recorded = recordedWith(columns, pricedRequests(columns, LISTED_PRICES), "recorded");
  expect(recorded.cost).toBeDefined();
  expect(comparedMetric(recorded, "write")).toBeUndefined();
});
