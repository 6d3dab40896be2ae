import { describe, expect, it } from "vitest";
import { recommend, type SweptSession } from "./recommendation";
import type { ReplayMetrics, Replays } from "./session-replays";

/** A replay with this cost in dollars, half of it cache reads. */
function row(trigger: number, usd: number | null, compactions = 1, band = 0): ReplayMetrics {
  const total = usd ?? 0;
  const costUsd = {
    read: total / 2,
    write: total / 4,
    plain: 0,
    output: total / 4,
    total,
    summaryCalls: 0,
    low: total * (1 - band),
    high: total * (1 + band),
    priced: true,
    lowerBound: false,
  };
  return {
    set: { triggerShare: trigger },
    compactions,
    thrashes: total === 80,
    totals: {
      requests: 9,
      peak: 9,
      tokensSent: total * 1000,
      summaryCallTokens: 0,
      requestsOverWindow: 0,
      neededAgain: 1,
      neededAgainTokens: total * 10,
      costUsd: usd === null ? null : costUsd,
    },
  };
}

function replays(current: number, swept: readonly number[], band = 0): Replays {
  return { current: row(0, current, 1, band), swept: swept.map((usd, index) => row(index, usd, 1, band)) };
}

function sessions(count: number, more: Partial<SweptSession["replays"]> = {}): readonly SweptSession[] {
  return Array.from({ length: count }, (_, index) => ({
    file: `${index}.jsonl`,
    project: `/p${index % 4}`,
    replays: { "as-set": replays(100, [120, 80, 80.5]), ...more },
  }));
}

describe("a recommendation", () => {
  it("names the best setting, its saving, equally good settings, and the changed parts", async () => {
    const found = await recommend(sessions(10), "cost", 1);
    expect(found?.isEvidence).toBe(true);
    expect(found?.advice.set).toEqual({ triggerShare: 1 });
    expect(found?.advice.saving.estimate).toBeCloseTo(0.2, 9);
    expect(found?.flat).toEqual([{ triggerShare: 1 }, { triggerShare: 2 }]);
    expect(found?.settings.map(({ total }) => total)).toEqual([1200, 800, 805]);
    expect(found?.because).toEqual({ read: -100, anew: -50, output: -50, summaryCalls: 0 });
    expect(found?.thrashing).toBe(10);
    expect([found?.current, found?.projects, found?.unaffected]).toEqual([1000, 4, []]);
  });

  it("counts the sessions whose costs are lower bounds, if it is by cost", async () => {
    const [first, ...others] = sessions(10);
    const own = first?.replays["as-set"];
    const costUsd = own?.current.totals.costUsd;
    if (first === undefined || own === undefined || costUsd == null) throw new Error("no session");
    const current = { ...own.current, totals: { ...own.current.totals, costUsd: { ...costUsd, lowerBound: true } } };
    const all = [{ ...first, replays: { "as-set": { ...own, current } } }, ...others];
    expect([(await recommend(all, "cost", 1))?.lowerBounds, (await recommend(all, "tokens", 1))?.lowerBounds]).toEqual([
      1, 0,
    ]);
  });

  it("must hold under the worst assumption, for example large summaries", async () => {
    const expensive = replays(100, [120, 99, 99]);
    const found = await recommend(
      sessions(10, { "large-summaries": expensive, "small-summaries": replays(100, [120, 70, 70]) }),
      "cost",
      1,
    );
    expect(found?.advice.missing).toEqual([]);
    expect([found?.isEvidence, found?.worst.under, found?.worst.missing]).toEqual([false, "large-summaries", ["size"]]);
  });

  it("must hold under every assumption, not only under the most uncertain one", async () => {
    const uncertain = sessions(10, { "small-summaries": replays(100, [120, 97.2, 97.2]) }).map((session, index) => ({
      ...session,
      replays: { ...session.replays, "as-set": replays(100, [120, index < 5 ? 60 : 95, 200]) },
    }));
    const found = await recommend(uncertain, "cost", 1);
    expect(found?.advice.missing).toEqual([]);
    expect(found?.advice.saving.low).toBeLessThan(0.028);
    expect([found?.isEvidence, found?.worst.under, found?.worst.missing]).toEqual([false, "small-summaries", ["size"]]);
  });

  it("is checked at both bounds of cache reads", async () => {
    const one = sessions(10).map((session, index) => ({
      ...session,
      replays: { "as-set": { ...replays(100, [120, 80, 90]), current: row(0, 100, 1, index < 5 ? 0.3 : 0) } },
    }));
    const found = await recommend(one, "cost", 1);
    expect(found?.worst.under).toBe("cache-at-best");
    expect(found?.worst.saving.estimate).toBeLessThan(found?.advice.saving.estimate ?? 0);
  });

  it("states the effect of another cache TTL only if it is about cost", async () => {
    const with5m = sessions(10, { "5m": replays(100, [60, 90, 90]) });
    expect((await recommend(with5m, "cost", 1))?.turns.map(({ under, set }) => [under, set])).toEqual([
      ["5m", { triggerShare: 0 }],
    ]);
    const byTokens = await recommend(with5m, "tokens", 1);
    expect([byTokens?.turns, byTokens?.because, byTokens?.current]).toEqual([[], null, 1_000_000]);
    expect((await recommend(with5m, "neededAgain", 1))?.current).toBe(10_000);
  });

  it("states how many sessions an assumption covers, and why the others are not covered", async () => {
    const unpriced: Replays = { ...replays(100, [60, 90, 90]), current: row(0, null) };
    const known = replays(100, [60, 90, 90]);
    const mixed = sessions(12).map((session, index) => ({
      ...session,
      replays: {
        ...session.replays,
        "1h": unpriced,
        ...(index < 9 ? { "5m": index < 7 ? known : unpriced } : {}),
      },
    }));
    const found = await recommend(mixed, "cost", 1);
    expect(found?.turns).toMatchObject([{ under: "5m", sessions: 7, unknown: 2, alike: 3, set: { triggerShare: 0 } }]);
    expect(found?.unknown).toEqual([{ under: "1h", sessions: 0, unknown: 12, alike: 0 }]);
    expect(found?.advice).toMatchObject({ sessions: 12, unknown: 0, alike: 0 });
    expect((await recommend(mixed, "tokens", 1))?.unknown).toEqual([]);
  });

  it("names sessions that no setting affects, and needs eight that one affects", async () => {
    const idle: Replays = { current: row(0, 10, 0), swept: [row(0, 10, 0), row(1, 10, 0), row(2, 10, 0)] };
    const [first, ...others] = sessions(8);
    const found = await recommend(
      [...others, { file: "idle.jsonl", project: "/p", replays: { "as-set": idle } }],
      "cost",
      1,
    );
    expect([found?.crossing, found?.unaffected]).toEqual([7, ["idle.jsonl"]]);
    expect([found?.isEvidence, found?.advice.missing]).toEqual([false, ["sessions"]]);
    expect(first).toBeDefined();
  });

  it("is absent if a session lacks the metric, or there is no session", async () => {
    const lacking = {
      file: "x",
      project: "",
      replays: { "as-set": { current: row(0, null), swept: [row(0, 1), row(1, 1), row(2, 1)] } },
    };
    expect(await recommend([...sessions(9), lacking], "cost", 1)).toBeUndefined();
    expect(await recommend([], "cost", 1)).toBeUndefined();
  });
});
