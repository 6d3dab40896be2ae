import fc from "fast-check";
import { expect, it } from "vitest";
import { FACETS } from "@/lib/core/base/facet-keys";
import { runs } from "@/lib/core/testing/runs";
import type { SessionSummary } from "@/lib/queries/contract/schemas";
import { emptyDatabases } from "../testing/databases";
import { emptySummary, listedRows } from "../testing/listed-rows";
import { Chosen } from "./chosen";
import { facetsOver } from "./facets";
import { sumsOf, tallied } from "./groups";
import { IndexColumns } from "./index/index-columns";

const emptyDatabase = emptyDatabases("sqlite");

const SESSION = fc.record({
  agent: fc.constantFrom("codex", "pi", "qwen-code"),
  version: fc.constantFrom("1.0", "2.0", null),
  models: fc.uniqueArray(fc.constantFrom("opus", "haiku", "o3"), { maxLength: 3 }),
  output: fc.option(fc.nat(1000)),
  day: fc.integer({ min: 1, max: 3 }),
});

it("sums over combinations of values equal those over each value", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(SESSION, { maxLength: 30 }), async (drawn) => {
      const database = await emptyDatabase();
      await listedRows(
        database,
        drawn.map(({ agent, version, models, output, day }, at) => ({
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
