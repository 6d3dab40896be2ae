import { expect, it } from "vitest";
import { type SessionSummary, sessionFacets } from "@/lib/queries/contract/schemas";
import { DIALECTS_HERE, emptyDatabases } from "../testing/databases";
import { emptySummary, listedRows } from "../testing/listed-rows";
import { facetsOf, facetsQuery } from "./facets";
import { IndexColumns } from "./index/index-columns";

const LISTED = { sources: ["s"] };

/** A session with some metrics. */
function session(
  id: string,
  change: {
    models?: string[];
    requests: number;
    output: number;
    cost: number | null;
    at: string;
    agent?: string;
    repeated?: number;
    isLeast?: boolean;
  },
) {
  const { models = ["opus"], requests, output, cost, at, agent = "codex", repeated = 0, isLeast = false } = change;
  const summary = {
    ...emptySummary(),
    agent,
    models,
    requests,
    agentVersion: "1.0",
    startedAt: at,
    usage: { input: 10, output, cacheRead: 90, cacheWrite: null, reasoning: null },
    costUsd: { total: cost, lowerBound: cost === null ? null : isLeast },
  } as SessionSummary; // Sums read only these metrics.
  const own = { breaks: [{ cause: "idle" as const, count: 1, tokens: 100, usd: cost }] };
  return { id, agent, startedAt: at, summary, repeatedRequests: repeated, own };
}

const SESSIONS = [
  session("a", { requests: 2, output: 5, cost: 1, at: "2026-01-01T10:00:00.000Z" }),
  session("b", {
    requests: 3,
    output: 7,
    cost: 2,
    at: "2026-01-02T10:00:00.000Z",
    models: ["opus", "haiku"],
    isLeast: true,
  }),
  session("c", { requests: 4, output: 9, cost: null, at: "2026-01-02T23:00:00.000Z", agent: "pi" }),
  session("d", { requests: 2, output: 5, cost: 1, at: "2026-01-01T10:00:00.000Z", repeated: 2, isLeast: true }),
  { id: "e", startedAt: "2026-01-03T10:00:00.000Z" },
];

for (const dialect of DIALECTS_HERE) {
  const emptyDatabase = emptyDatabases(dialect);
  const facets = async (query: object) => {
    const database = await emptyDatabase();
    await listedRows(database, SESSIONS);
    return sessionFacets.parse(await facetsOf(new IndexColumns(database), LISTED, facetsQuery.parse(query)));
  };

  it(`${dialect}: sums count every request once, and a sum with an unpriced part is null`, async () => {
    const { total, breaksByCause } = await facets({});
    expect(total).toEqual({
      sessions: 5,
      copies: 1,
      bytes: 50,
      requests: 9,
      compactions: 0,
      compactingMs: null,
      input: 30,
      cacheRead: 270,
      cacheWrite: null,
      output: 21,
      sent: 300,
      neededAgain: null,
      neededAgainTokens: null,
      costUsd: null,
      pricedUsd: 3,
      unpriced: 1,
      lowerBounds: 1,
    });
    expect(breaksByCause).toEqual([{ cause: "idle", count: 3, tokens: 300, usd: null }]);
    const codex = await facets({ where: ["agent=codex"] });
    expect([codex.total.costUsd, codex.breaksByCause[0]?.usd]).toEqual([3, 3]);
  });

  it(`${dialect}: a sum is a lower bound if the cost of subagents in a file is one`, async () => {
    const database = await emptyDatabase();
    const one = session("s", { requests: 2, output: 5, cost: 1, at: "2026-01-01T10:00:00.000Z" });
    const bill = { subagents: { costUsd: { lowerBound: true } } } as SessionSummary["bill"];
    await listedRows(database, [{ ...one, summary: { ...one.summary, bill } }]);
    const answer = await facetsOf(new IndexColumns(database), LISTED, facetsQuery.parse({}));
    expect(answer.total).toMatchObject({ sessions: 1, lowerBounds: 1 });
  });

  it(`${dialect}: values have counts, the most frequent first; days are in order`, async () => {
    const { facets: found } = await facets({});
    const counts = (facet: keyof typeof found) => found[facet]?.map(({ value, sessions }) => [value, sessions]);
    expect(counts("agent")).toEqual([
      ["codex", 4],
      ["pi", 1],
    ]);
    expect(counts("model")).toEqual([
      ["opus", 4],
      ["haiku", 1],
    ]);
    expect(counts("version")).toEqual([
      ["1.0", 4],
      [null, 1],
    ]);
    expect(counts("day")).toEqual([
      ["2026-01-03", 1],
      ["2026-01-02", 2],
      ["2026-01-01", 2],
    ]);
    expect(found.day?.map(({ output }) => output)).toEqual([null, 16, 5]);
    expect(counts("project")).toEqual([["/home/ada/shop", 5]]);
  });

  it(`${dialect}: a session without times belongs to no day, whatever the time of its file`, async () => {
    const database = await emptyDatabase();
    await listedRows(database, [...SESSIONS, { id: "undated", modifiedAt: "2026-11-28T10:00:00.000Z" }]);
    const found = async (query: object) => facetsOf(new IndexColumns(database), LISTED, facetsQuery.parse(query));
    const { day } = (await found({ by: ["day"] })).facets;
    expect(day?.map(({ value, sessions }) => [value, sessions])).toEqual([
      ["2026-01-03", 1],
      ["2026-01-02", 2],
      ["2026-01-01", 2],
      [null, 1],
    ]);
    expect((await found({ where: ["day="] })).total.sessions).toBe(1);
    expect((await found({ where: ["day>2026-01-02"] })).total.sessions).toBe(1);
  });

  it(`${dialect}: only matching sessions are summed, and only requested facets are returned`, async () => {
    const { total, facets: found } = await facets({ where: ["day=2026-01-02", "model=opus"], by: ["agent"], limit: 1 });
    expect([total.sessions, total.requests]).toEqual([2, 7]);
    expect(Object.keys(found)).toEqual(["agent"]);
    expect(found.agent).toHaveLength(1);
    expect((await facets({ where: ["agent=nobody"] })).total).toMatchObject({
      sessions: 0,
      requests: null,
      costUsd: null,
    });
  });
}
