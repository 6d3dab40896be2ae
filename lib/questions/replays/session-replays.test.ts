import { join } from "node:path";
import { expect, it } from "vitest";
import { POLICIES } from "@/lib/agents/policies";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import { recordingOf } from "@/lib/core/context/recording";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { ReplayCosts } from "../cost/simulated-cost";
import { readSession } from "../testing/sessions";
import { RECORDED_SUMMARIES, replayedAsSet, replaysUnder, SessionCosts } from "./session-replays";
import { sweepRange } from "./sweep";

const SAMPLES = ["claude-code-duplicate-shipments.jsonl", "codex-sliding-window.jsonl"] as const;
const VARY = [{ key: "triggerShare", from: 0.3, to: 0.9, step: 0.2 }];

function recording(sample: string) {
  const { session, columns } = readSession(join("public", "samples", sample));
  return recordingOf(session, { columns, tokens: sizeTokenColumn(columns, "bytes-4") });
}

it.each(SAMPLES)("are those of a sweep, and each size of summaries is that setting: %s", (sample) => {
  const read = recording(sample);
  const costs = new ReplayCosts(read, LISTED_PRICES);
  const swept = (settings: Record<string, number>) =>
    sweepRange({ policy: "custom", settings, vary: VARY }, read, costs, { from: 0, to: 4 });
  const found = replaysUnder({ policy: "custom", vary: VARY }, read, LISTED_PRICES);
  const told = (name: "as-set" | keyof typeof RECORDED_SUMMARIES) =>
    found[name]?.swept.map(({ compactions, totals }) => [compactions, totals.tokensSent, totals.costUsd]);
  const expected = (settings: Record<string, number>) =>
    swept(settings).map(({ figures, costUsd }) => [figures.compactions, figures.tokensSent, costUsd]);
  expect(told("as-set")).toEqual(expected({}));
  expect(told("large-summaries")).toEqual(expected({ summaryTokens: 6143 }));
  expect(told("small-summaries")).toEqual(expected({ summaryTokens: 995 }));
  expect(found["as-set"].current).toEqual(replayedAsSet({ policy: "custom" }, read, LISTED_PRICES));
});

it.each(SAMPLES)("what never compacts is the same whatever a summary's size, under every policy: %s", (sample) => {
  const read = recording(sample);
  for (const { id } of POLICIES.filter(({ id }) => id !== "recorded")) {
    const asSet = replayedAsSet({ policy: id, window: 10_000_000 }, read, LISTED_PRICES);
    if (asSet.compactions > 0) continue;
    for (const summaryTokens of Object.values(RECORDED_SUMMARIES)) {
      const sized = { policy: id, window: 10_000_000, settings: { summaryTokens } };
      expect([id, replayedAsSet(sized, read, LISTED_PRICES)]).toEqual([id, asSet]);
    }
  }
});

it("other terms change what the same replays cost, and only those that the question leaves open are assumed", () => {
  const read = recording(SAMPLES[0]);
  const open = replaysUnder({ policy: "custom", vary: VARY }, read, LISTED_PRICES);
  const models = Object.keys(open).filter((one) => one.startsWith("on "));
  expect(models.length).toBeGreaterThan(0);
  for (const under of ["5m", "1h", "no-pauses"] as const) {
    const totals = open[under]?.swept.map(({ totals }) => totals.tokensSent);
    expect(totals).toEqual(open["as-set"].swept.map(({ totals }) => totals.tokensSent));
  }
  const settled = replaysUnder(
    { policy: "custom", vary: VARY, ttl: "1h", on: "claude-opus-4-5", settings: { summaryTokens: 900 } },
    read,
    LISTED_PRICES,
  );
  expect(Object.keys(settled).sort()).toEqual(["as-set", "no-pauses"]);
  // Without pauses a cache never goes cold: nothing can be dearer.
  const cost = (under: "no-pauses" | "as-set", at: number) =>
    settled[under]?.swept[at]?.totals.costUsd?.total ?? Number.NaN;
  for (const at of [0, 1, 2, 3]) expect(cost("no-pauses", at)).toBeLessThanOrEqual(cost("as-set", at));
});

it.each(SAMPLES)(
  "costs that are found once for all policies of a session are those that each finds by itself: %s",
  (sample) => {
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
  },
);
