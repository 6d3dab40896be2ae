import fc from "fast-check";
import { expect, it } from "vitest";
import type { IndexDatabase } from "../../store/database/database";
import { DIALECTS_HERE, emptyDatabases } from "../../testing/databases";
import { emptySummary, writesOf } from "../../testing/listed-rows";
import { facetsOf, facetsQuery } from "../facets";
import { matching } from "../list-filter";
import { listQuery, pageOf } from "../list-query";
import { IndexColumns } from "./index-columns";
import { removalWrites } from "./index-rows";

const LISTED = { sources: ["s"] };

const session = fc.record({
  id: fc.constantFrom("a", "b", "c", "d", "e"),
  word: fc.constantFrom("cache", "会话", "ts"),
  requests: fc.nat(3),
  project: fc.constantFrom("/x/shop", "/y/api", null),
});
type Drawn = typeof session extends fc.Arbitrary<infer One> ? One : never;

/** Events of an index: a session is written or removed, or a client queries. */
const step = fc.oneof(
  { weight: 3, arbitrary: session.map((written) => ({ written })) },
  fc.constantFrom("a", "b", "c").map((removed) => ({ removed })),
  fc.constant({ asked: true }),
);

function writes(database: IndexDatabase, { id, word, requests, project }: Drawn) {
  const summary = { ...emptySummary(), requests, project };
  return writesOf(database, { id, project, summary, title: id, text: `says ${word}` });
}

async function answers(database: IndexDatabase, columns: IndexColumns, parameters: object) {
  const query = listQuery.parse({ sort: "title", ...parameters });
  const { ids } = await pageOf(database, columns, await matching(columns, LISTED, query), query);
  const { total, facets } = await facetsOf(columns, LISTED, facetsQuery.parse({ ...parameters, by: ["project"] }));
  return { ids, sessions: total.sessions, requests: total.requests ?? 0, projects: facets.project?.length };
}

for (const dialect of DIALECTS_HERE) {
  const emptyDatabase = emptyDatabases(dialect);

  it(`${dialect}: cached columns give the same answers as the database after any writes`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const database = await emptyDatabase();
        const columns = new IndexColumns(database, 2);
        const sessions = new Map<string, Drawn>();
        for (const one of [...steps, { asked: true }]) {
          if ("written" in one) {
            await database.write(writes(database, one.written));
            sessions.set(one.written.id, one.written);
          } else if ("removed" in one) {
            await database.write(removalWrites(database, one.removed));
            sessions.delete(one.removed);
          } else {
            for (const [parameters, holds] of QUERIES) {
              const expected = [...sessions.values()].filter(holds).sort((a, b) => (a.id < b.id ? -1 : 1));
              expect(await answers(database, columns, parameters)).toEqual({
                ids: expected.map(({ id }) => id),
                sessions: expected.length,
                requests: expected.reduce((sum, { requests }) => sum + requests, 0),
                projects: new Set(expected.map(({ project }) => project)).size,
              });
            }
          }
        }
      }),
      { numRuns: dialect === "sqlite" ? 40 : 5 },
    );
  });

  it(`${dialect}: numbers keep full precision, and unknown values are null`, async () => {
    const database = await emptyDatabase();
    const columns = new IndexColumns(database);
    const metrics = [0.1 + 0.2, 1 / 3, 5e-324, 1_700_000_000_123.5, 0, null];
    await database.write(
      metrics.flatMap((accuracy, at) => writesOf(database, { id: `row-${at}`, facts: { accuracy } })),
    );
    await columns.refresh();
    const read = columns.ids.map((id, place) => [id, columns.number("accuracy")[place]]);
    expect(read).toEqual(metrics.map((metric, at) => [`row-${at}`, metric ?? Number.NaN]));
  });

  it(`${dialect}: metrics are kept for more sessions than the cache holds`, async () => {
    const database = await emptyDatabase();
    const columns = new IndexColumns(database);
    for (let at = 0; at < 1100; at += 550) {
      const some = Array.from({ length: 550 }, (_, next) => at + next);
      await database.write(some.flatMap((number) => writesOf(database, { id: `row-${number}`, bytes: number })));
      await columns.refresh();
    }
    const { total } = await facetsOf(columns, LISTED, facetsQuery.parse({ where: ["bytes>=1000"] }));
    expect([total.sessions, total.bytes]).toEqual([100, 104_950]);
  });
}

/** Queries, and the generated sessions that they match. */
const QUERIES: readonly (readonly [object, (one: Drawn) => boolean])[] = [
  [{}, () => true],
  [{ q: "cache" }, ({ word }) => word === "cache"],
  [{ q: "会话 says" }, ({ word }) => word === "会话"],
  [{ where: ["requests>=2"] }, ({ requests }) => requests >= 2],
  [{ where: ["project=", "project=/x/shop", "requests!=1"] }, (one) => one.project !== "/y/api" && one.requests !== 1],
];
