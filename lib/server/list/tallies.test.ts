import fc from "fast-check";
import { expect, it } from "vitest";
import { FACETS, PLACE_FACETS } from "@/lib/core/base/facet-keys";
import { QUARTER_MS } from "@/lib/core/base/time-zone";
import { runs } from "@/lib/core/testing/runs";
import type { SessionSummary } from "@/lib/queries/contract/schemas";
import { emptyDatabases } from "../testing/databases";
import { emptySummary, listedRows } from "../testing/listed-rows";
import { Chosen } from "./chosen";
import { facetsOver } from "./facets";
import { sumsOf, tallied } from "./groups";
import { IndexColumns } from "./index/index-columns";
import { NO_METRICS } from "./index/own-metrics";

const emptyDatabase = emptyDatabases("sqlite");

const SESSION = fc.record({
  agent: fc.constantFrom("codex", "pi", "qwen-code"),
  version: fc.constantFrom("1.0", "2.0", null),
  models: fc.uniqueArray(fc.constantFrom("opus", "haiku", "o3"), { maxLength: 3 }),
  output: fc.option(fc.nat(1000)),
  day: fc.integer({ min: 1, max: 3 }),
});

it("sums over combinations of values add up to the sums of each value", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(SESSION, { maxLength: 30 }), async (generated) => {
      const database = await emptyDatabase();
      await listedRows(
        database,
        generated.map(({ agent, version, models, output, day }, at) => ({
          id: String(at),
          agent,
          startedAt: `2026-01-0${day}T10:00:00.000Z`,
          summary: {
            ...emptySummary(),
            agent,
            models,
            agentVersion: version,
            requests: models.length,
            usage: { input: 1, output, cacheRead: null, cacheWrite: null, reasoning: null },
          } as SessionSummary, // Sums read only these metrics.
        })),
      );
      const columns = new IndexColumns(database);
      await columns.refresh();
      const chosen = new Chosen(columns, columns.where([]), "UTC", undefined);
      const { total, facets } = facetsOver(columns, chosen, { by: [], limit: 100 });
      const { rows, groups } = chosen.all();
      expect(total).toEqual(sumsOf(tallied(rows, groups))(0));
      for (const facet of FACETS) {
        const by = chosen.by(facet);
        const alone = tallied(by.rows, by.groups);
        const sums = alone.values.flatMap((value, group) =>
          alone.counts[group] ? [{ value, ...sumsOf(alone)(group) }] : [],
        );
        expect(facets[facet]).toHaveLength(sums.length);
        expect(facets[facet]).toEqual(expect.arrayContaining(sums));
      }
    }),
    { numRuns: runs(20) },
  );
});

const QUARTERS_A_DAY = 96;
const FIRST_DAY = Date.parse("2026-01-01T00:00:00Z") / QUARTER_MS;

/** Requests of a session by quarter of an hour and place; costs are whole dollars, so that sums are exact. */
const PART = fc.record({
  quarter: fc.nat(3 * QUARTERS_A_DAY - 1).map((quarter) => FIRST_DAY + quarter),
  branch: fc.constantFrom("main", "fix", null),
  worktree: fc.constantFrom("/home/me/cli", "/home/me/cli/.worktrees/1"),
  subagent: fc.constantFrom("s/a", null),
  requests: fc.integer({ min: 1, max: 9 }),
  dollars: fc.integer({ min: 1, max: 9 }),
});

it("requests and costs by branch, worktree and subagent sum to the total, for all and for chosen days", async () => {
  const days = fc.option(fc.constantFrom("2026-01-01", "2026-01-02", "2026-01-03"), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(PART, { minLength: 1, maxLength: 6 }), { maxLength: 8 }),
      days,
      async (generated, day) => {
        const database = await emptyDatabase();
        await listedRows(
          database,
          generated.map((parts, at) => {
            const sum = (of: (part: (typeof parts)[number]) => number) =>
              parts.reduce((all, part) => all + of(part), 0);
            const times = parts.map(({ quarter }) => quarter * QUARTER_MS);
            return {
              id: String(at),
              startedAt: new Date(Math.min(...times)).toISOString(),
              summary: emptySummary(),
              own: {
                requests: sum(({ requests }) => requests),
                priced: sum(({ dollars }) => dollars),
                unpriced: 0,
                firstAt: Math.min(...times),
                lastAt: Math.max(...times),
                places: parts.map(({ branch, worktree, subagent }) => ({ branch, worktree, subagent })),
                parts: parts.map(({ quarter, requests, dollars }, place) => ({
                  ...NO_METRICS,
                  ...{ quarter, place, requests, priced: dollars },
                })),
              },
            };
          }),
        );
        const columns = new IndexColumns(database);
        await columns.refresh();
        const test = day === undefined ? undefined : (one: string | null) => one === day;
        const isThere = (at: number) =>
          generated[at]?.some(
            ({ quarter }) => new Date(quarter * QUARTER_MS).toISOString().slice(0, 10) === (day ?? ""),
          ) ?? false;
        const places = columns.where(day === undefined ? [] : [(place) => isThere(Number(columns.ids[place]))]);
        const { total, facets } = facetsOver(columns, new Chosen(columns, places, "UTC", test), { by: [], limit: 100 });
        for (const facet of PLACE_FACETS) {
          const sum = (name: "requests" | "pricedUsd") =>
            facets[facet]?.reduce((all, group) => all + (group[name] ?? 0), 0);
          expect([facet, sum("requests"), sum("pricedUsd")]).toEqual([
            facet,
            total.requests ?? 0,
            total.pricedUsd ?? 0,
          ]);
        }
        const values = new Set(
          generated
            .flat()
            .flatMap(({ quarter, branch }) =>
              day === undefined || new Date(quarter * QUARTER_MS).toISOString().startsWith(day) ? [branch] : [],
            ),
        );
        expect(new Set(facets.branch?.map(({ value }) => value))).toEqual(values);
      },
    ),
    { numRuns: runs(20) },
  );
});
