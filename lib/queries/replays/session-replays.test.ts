import { join } from "node:path";
import { expect, it } from "vitest";
import { POLICIES } from "@/lib/agents/registry";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import { recordingOf } from "@/lib/core/context/recording";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { ReplayCosts } from "../cost/simulated-cost";
import { readSession } from "../testing/sessions";
import {
  type AskedMetrics,
  RECORDED_SUMMARIES,
  type ReplayMetrics,
  type ReplaysUnder,
  replayedAsSet,
  replaysUnder,
  SessionCosts,
} from "./session-replays";
import { sweepRange } from "./sweep";

const SAMPLES = ["claude-code-duplicate-shipments.jsonl", "codex-sliding-window.jsonl"] as const;
const VARY = [{ key: "triggerShare", from: 0.3, to: 0.9, step: 0.2 }];

function recording(sample: string) {
  const { session, columns } = readSession(join("public", "samples", sample));
  return recordingOf(session, { columns, tokens: sizeTokenColumn(columns, "bytes-4") });
}

it.each(SAMPLES)("a session's replays equal the points of a sweep, under every assumed summary size: %s", (sample) => {
  const read = recording(sample);
  const costs = new ReplayCosts(read, LISTED_PRICES);
  const swept = (settings: Record<string, number>) =>
    sweepRange({ policy: "custom", settings, vary: VARY }, read, costs, { from: 0, to: 4 });
  const found = replaysUnder({ policy: "custom", vary: VARY, metrics: "all" }, read, LISTED_PRICES);
  const metricsUnder = (name: "as-set" | keyof typeof RECORDED_SUMMARIES) =>
    found[name]?.swept.map(({ compactions, totals }) => [compactions, totals.tokensSent, totals.costUsd]);
  const expected = (settings: Record<string, number>) =>
    swept(settings).map(({ metrics, costUsd }) => [metrics.compactions, metrics.tokensSent, costUsd]);
  expect(metricsUnder("as-set")).toEqual(expected({}));
  expect(metricsUnder("large-summaries")).toEqual(expected({ summaryTokens: 6143 }));
  expect(metricsUnder("small-summaries")).toEqual(expected({ summaryTokens: 995 }));
  expect(found["as-set"].current).toEqual(replayedAsSet({ policy: "custom" }, read, LISTED_PRICES));
});

it.each(SAMPLES)(
  "a replay without compactions is the same for every summary size, under every policy: %s",
  (sample) => {
    const read = recording(sample);
    for (const { id } of POLICIES.filter(({ id }) => id !== "recorded")) {
      const asSet = replayedAsSet({ policy: id, window: 10_000_000 }, read, LISTED_PRICES);
      if (asSet.compactions > 0) continue;
      for (const summaryTokens of Object.values(RECORDED_SUMMARIES)) {
        const sized = { policy: id, window: 10_000_000, settings: { summaryTokens } };
        expect([id, replayedAsSet(sized, read, LISTED_PRICES)]).toEqual([id, asSet]);
      }
    }
  },
);

it("assumed terms change only costs, and terms that the query sets are not assumed", () => {
  const read = recording(SAMPLES[0]);
  const open = replaysUnder({ policy: "custom", vary: VARY, metrics: "all" }, read, LISTED_PRICES);
  const models = Object.keys(open).filter((one) => one.startsWith("on "));
  expect(models.length).toBeGreaterThan(0);
  for (const under of ["5m", "1h", "no-pauses"] as const) {
    const totals = open[under]?.swept.map(({ totals }) => totals.tokensSent);
    expect(totals).toEqual(open["as-set"].swept.map(({ totals }) => totals.tokensSent));
  }
  const settled = replaysUnder(
    {
      policy: "custom",
      vary: VARY,
      ttl: "1h",
      on: "claude-opus-4-5",
      settings: { summaryTokens: 900 },
      metrics: "all",
    },
    read,
    LISTED_PRICES,
  );
  expect(Object.keys(settled).sort()).toEqual(["as-set", "no-pauses"]);
  // Without pauses a cache never goes cold: nothing can cost more.
  const cost = (under: "no-pauses" | "as-set", at: number) =>
    settled[under]?.swept[at]?.totals.costUsd?.total ?? Number.NaN;
  for (const at of [0, 1, 2, 3]) expect(cost("no-pauses", at)).toBeLessThanOrEqual(cost("as-set", at));
});

it.each(SAMPLES)("a replay under an assumption costs the same as a query with those terms: %s", (sample) => {
  const read = recording(sample);
  const request = { policy: "custom", vary: VARY, metrics: "spent" } as const;
  const costs = (rows: readonly ReplayMetrics[] | undefined) => rows?.map(({ totals }) => totals.costUsd);
  for (const [under, found] of Object.entries(replaysUnder(request, read, LISTED_PRICES))) {
    const terms = under.startsWith("on ") ? { on: under.slice("on ".length) } : { ttl: under as "5m" | "1h" };
    if (terms.on === undefined && terms.ttl !== "5m" && terms.ttl !== "1h") continue;
    // A new recording has no cached costs.
    const alone = replaysUnder({ ...request, ...terms }, recording(sample), LISTED_PRICES)["as-set"].swept;
    expect([under, costs(found?.swept)]).toEqual([under, costs(alone)]);
  }
});

it.each(SAMPLES)("only the requested metrics are computed, with unchanged values: %s", (sample) => {
  const read = recording(sample);
  const found = (metrics: AskedMetrics) => replaysUnder({ policy: "custom", vary: VARY, metrics }, read, LISTED_PRICES);
  const [all, spent, needed] = [found("all"), found("spent"), found("neededAgain")];
  const without = (replays: ReplaysUnder["as-set"] | undefined, absent: Partial<ReplayMetrics["totals"]>) =>
    [replays?.current, ...(replays?.swept ?? [])].map((row) => row && { ...row, totals: { ...row.totals, ...absent } });
  const nothingRefetched = { neededAgain: null, neededAgainTokens: null };
  expect(Object.keys(spent)).toEqual(Object.keys(all));
  for (const under of Object.keys(all) as (keyof ReplaysUnder)[])
    expect(without(spent[under], {})).toEqual(without(all[under], nothingRefetched));
  // Metrics that follow from prices alone are not requested.
  expect(Object.keys(needed).sort()).toEqual(["as-set", "large-summaries", "small-summaries"]);
  for (const under of Object.keys(needed) as (keyof ReplaysUnder)[])
    expect(without(needed[under], {})).toEqual(without(all[under], { costUsd: null }));
});

it.each(SAMPLES)("costs shared by all policies of a session equal separately computed ones: %s", (sample) => {
  const read = recording(sample);
  const costs = new SessionCosts(LISTED_PRICES);
  for (const { id } of POLICIES) {
    for (const ttl of ["recorded", "1h"] as const) {
      const run = { policy: id, ttl };
      const shared = costs.of(run, recording(sample));
      expect(shared).toBe(costs.of({ ttl }, read));
      expect([id, replayedAsSet(run, read, LISTED_PRICES, () => {}, shared)]).toEqual([
        id,
        replayedAsSet(run, read, LISTED_PRICES),
      ]);
    }
  }
});

it.each(SAMPLES)("metrics of the first requests and of the later ones sum to those of all: %s", (sample) => {
  const read = recording(sample);
  const { length } = read.columns.requests;
  for (const policy of ["recorded", "custom"]) {
    const from = (request: number) =>
      replayedAsSet(
        { policy, settings: policy === "custom" ? { triggerShare: 0.3 } : {} },
        read,
        LISTED_PRICES,
        () => {},
        undefined,
        request,
      );
    const all = from(0);
    const half = from(Math.floor(length / 2));
    expect(half.totals.requests).toBe(length - Math.floor(length / 2));
    expect(half.totals.tokensSent).toBeLessThan(all.totals.tokensSent);
    expect(half.totals.costUsd?.total).toBeLessThan(all.totals.costUsd?.total ?? 0);
    // Request by request: each part is the difference of two sums.
    let sum = 0;
    for (let request = 0; request < length; request++)
      sum +=
        (from(request).totals.costUsd?.output ?? 0) -
        (request + 1 < length ? (from(request + 1).totals.costUsd?.output ?? 0) : 0);
    expect(sum).toBeCloseTo(all.totals.costUsd?.output ?? 0, 9);
  }
});
