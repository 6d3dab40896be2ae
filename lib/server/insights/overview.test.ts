import { expect, it } from "vitest";
import { insightsAnswer, type SessionSummary } from "@/lib/queries/contract/schemas";
import { IndexColumns } from "../list/index/index-columns";
import { DIALECTS_HERE, emptyDatabases } from "../testing/databases";
import { emptySummary, listedRows } from "../testing/listed-rows";
import { insightsQuery, overviewOf } from "./overview";

const LISTED = { sources: ["s"] };

interface Drawn {
  readonly peak?: number;
  readonly cost?: number | null;
  readonly day?: string;
  readonly version?: string;
  readonly repeated?: number;
}

/** A read session with a few metrics, which has been compacted once. */
function session(id: string, { peak = 10, cost = 1, day = "2026-01-01", version = "1.0", repeated = 0 }: Drawn) {
  const summary = {
    ...emptySummary(),
    agent: "codex",
    models: ["opus"],
    requests: 2,
    agentVersion: version,
    startedAt: `${day}T10:00:00.000Z`,
    peakContext: { tokens: peak, request: 0 },
    costUsd: { total: cost, lowerBound: false },
  } as SessionSummary; // Sums read only these metrics.
  const facts = {
    accuracy: 0.1,
    fidelity: { met: 1, checked: 2 },
    needed: { count: 3, tokens: 30 },
    scores: [{ score: "foreseen" as const, part: 1, whole: 4 }],
  };
  const own = { breaks: [{ cause: "idle" as const, count: 1, tokens: 100, usd: cost }] };
  return { id, agent: "codex", startedAt: `${day}T10:00:00.000Z`, summary, repeatedRequests: repeated, facts, own };
}

for (const dialect of DIALECTS_HERE) {
  const emptyDatabase = emptyDatabases(dialect);
  const overview = async (rows: readonly ReturnType<typeof session>[], query: object = {}) => {
    const database = await emptyDatabase();
    await listedRows(database, rows);
    return insightsAnswer.parse(await overviewOf(new IndexColumns(database), LISTED, insightsQuery.parse(query)));
  };

  it(`${dialect}: sessions that their agent deletes within a week are named, the soonest first`, async () => {
    const database = await emptyDatabase();
    const day = (at: number) => new Date(Date.UTC(2026, 10, at)).toISOString();
    const changed = (id: string, at: number, more: object = {}) => ({
      ...session(id, {}),
      modifiedAt: day(at),
      ...more,
    });
    await listedRows(database, [
      ...[changed("fresh", 8), changed("due", 5), changed("overdue", 1), changed("elsewhere", 1, { source: "other" })],
      changed("gone", 1, { source: "unlisted" }),
    ]);
    const deletions = [{ source: "s", agent: "codex", days: 30 }];
    const listed = { sources: ["s", "other"], deletions };
    const asked = (now: number) =>
      overviewOf(new IndexColumns(database), listed, insightsQuery.parse({}), Date.parse(day(now)));
    expect((await asked(30)).deletedSoon).toEqual([
      { agent: "codex", days: 30, within: 7, sessions: 2, ids: ["overdue", "due"] },
    ]);
    expect((await asked(20)).deletedSoon).toEqual([]);
  });

  it(`${dialect}: groups have sums, cache misses and percentiles, and exclude copies`, async () => {
    const found = await overview([
      session("a", { peak: 10 }),
      session("b", { peak: 30, day: "2026-01-02" }),
      session("c", { peak: 20, day: "2026-01-02" }),
      session("d", { peak: 999, day: "2026-01-02", repeated: 2 }),
    ]);
    expect(found.groups.map(({ value, sessions, neededAgain, peak }) => [value, sessions, neededAgain, peak])).toEqual([
      ["2026-01-02", 3, 6, { p50: 20, p75: 30, p95: 30 }],
      ["2026-01-01", 1, 3, { p50: 10, p75: 10, p95: 10 }],
    ]);
    expect(found.groups[0]?.breaksByCause).toEqual([{ cause: "idle", count: 2, tokens: 200, usd: 2 }]);
    expect(found.distributions.peak).toEqual({ sessions: 3, unknown: 0, points: [[10, 1], [20, 2], [30, 3]] }); // biome-ignore format: a row of points
    const byModel = await overview([session("a", {}), session("b", {})], { by: "model", where: ["agent=codex"] });
    expect(byModel.groups.map(({ value, peak }) => [value, peak?.p95])).toEqual([["opus", 10]]);
  });

  it(`${dialect}: a distribution has at most a hundred points, and includes every percentile`, async () => {
    const many = Array.from({ length: 257 }, (_, at) => session(`s${at}`, { peak: at + 1, cost: at < 7 ? null : at }));
    const { distributions } = await overview(many);
    const { points, sessions } = distributions.peak;
    expect([sessions, points.length]).toEqual([257, 100]);
    for (const share of [0.5, 0.75, 0.95, 1]) {
      expect(points.find(([, place]) => place >= share * sessions)?.[0]).toBe(Math.ceil(share * 257));
    }
    expect([distributions.cost.sessions, distributions.cost.unknown]).toEqual([250, 7]);
  });

  it(`${dialect}: accuracy is given per agent version, with shares computed from sums`, async () => {
    const { trust } = await overview([
      session("a", {}),
      session("b", { cost: null }),
      session("c", { version: "2.0" }),
    ]);
    expect(trust.map(({ version, sessions }) => [version, sessions])).toEqual([
      ["1.0", 2],
      ["2.0", 1],
    ]);
    expect(trust[0]).toMatchObject({
      agent: "codex",
      estimatorError: 0.1,
      fidelity: { part: 2, whole: 4 },
      unpriced: 1,
      predictorPrecision: { part: 2, whole: 8 },
      summaryRecall: null,
    });
  });
  it(`${dialect}: findings name their sessions, and exclude copies and contents counted elsewhere`, async () => {
    const files = [{ name: "/a.ts", fetches: 6, sent: 100, usd: 1 }];
    const evidence = { files, commands: [], tools: [], kept: [], compactions: { known: 0, unpaid: 0, unpaidUsd: 0 } };
    const made = (id: string, change: Drawn = {}, own: object = {}) => {
      const one = session(id, change);
      return { ...one, title: `Title of ${id}`, facts: { ...one.facts, evidence }, own: { ...one.own, ...own } };
    };
    const usage = { cacheRead: 50 };
    const all = [made("a", {}, usage), made("b", {}, { ...usage, inherited: 1 }), made("c", { repeated: 2 }, usage)];
    const { findings } = await overview(all);
    expect(findings.map(({ id, amount, affected }) => [id, amount, affected])).toEqual([
      ["idle-misses", 2, 2],
      ["fetched-files", 1, 1],
      ["threshold", null, 0],
    ]);
    expect(findings[1]?.largest).toEqual([{ id: "a", title: "Title of a", amount: 1 }]);
  });
}
