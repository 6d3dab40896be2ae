import { setTimeout as delay } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { IndexDatabase } from "../../store/database/database";
import { localExecutor } from "../../testing/databases";
import { assistantLine, put, temporaryFolder, userLine } from "../../testing/files";
import { LocalRunner } from "../../threads/local-runner";
import type { CatalogEntry } from "../files/entries";
import { SessionIndex } from "./session-index";

const entryOf = (id: string): CatalogEntry => ({
  id,
  source: "folder",
  kind: "folder",
  agent: null,
  path: `/${id}`,
  name: `${id}.jsonl`,
  placed: {},
  version: { bytes: 1, mtimeMs: 1 },
});

it("a failed write is reported once and retried, and does not delay queries", async () => {
  let isFull = false;
  const executor = localExecutor();
  const run = vi.fn<typeof executor.run>(async (statements) => {
    if (isFull) throw new Error("database or disk is full");
    return executor.run(statements);
  });
  const database = new IndexDatabase("sqlite", { ...executor, run });
  await database.makeTables();
  const say = vi.fn();
  const index = await SessionIndex.load(database, { sources: ["folder"], madeBy: "test", say, retryMs: 20 });
  await index.found([entryOf("one")]);
  expect(index.isUnwritten).toBe(false);

  isFull = true;
  await index.found([entryOf("one"), entryOf("two")]);
  const { length: tries } = run.mock.calls;
  await vi.waitFor(() => expect(run.mock.calls.length).toBeGreaterThan(tries + 2));
  expect(index.isUnwritten).toBe(true);
  expect(say.mock.calls).toEqual([
    ["the index cannot be written (database or disk is full); it is tried again every few seconds."],
  ]);

  isFull = false;
  await vi.waitFor(() => expect(index.isUnwritten).toBe(false));
  await index.settled();
  expect((await index.row("two"))?.name).toBe("two.jsonl");
  await index.close();
});

it("texts are written last, in the order of the session numbers", async () => {
  const executor = localExecutor();
  const run = vi.fn<typeof executor.run>((statements) => executor.run(statements));
  const database = new IndexDatabase("sqlite", { ...executor, run });
  await database.makeTables();
  const index = await SessionIndex.load(database, { sources: ["folder"], madeBy: "test" });
  await index.found(["b", "d", "a"].map(entryOf));
  run.mockClear();
  const facts = {
    text: "first",
    metrics: new Float64Array(0),
    scores: [],
    accuracy: null,
    fidelity: null,
    needed: null,
    places: [],
    evidence: null,
  };
  for (const id of ["a", "new", "d", "b"])
    index.addResult(entryOf(id), { summary: null, sparkline: null, error: "?", facts });
  await index.settled();
  const written = run.mock.calls.flatMap(([statements]) => statements);
  const texts = written.slice(written.findIndex(({ sql }) => /"(search|short_words)"/.test(sql)));
  expect(texts.every(({ sql }) => /^(delete from|insert into) "(search|short_words)"/.test(sql))).toBe(true);
  const ids = texts.filter(({ sql }) => sql.startsWith("insert")).map(({ parameters }) => parameters[0]);
  expect(ids).toEqual(["b", "b", "d", "d", "a", "a", "new", "new"]);
  await index.close();
});

const LINES = [userLine("One.", "u1"), assistantLine("Two.", "a1", "u1")];

/** Two sessions that are copies of each other and were just read. Their relations are about to be written into new rows, but held back until released. */
async function relating() {
  const folder = temporaryFolder();
  const readResultOf = async (name: string, lines: readonly string[]) => {
    const path = put(folder, `${name}.jsonl`, lines.join("\n"));
    const { summary, requestKeys } = await new LocalRunner().ingest({ path, summaryOnly: true });
    return { summary, requestKeys, sparkline: null, error: null };
  };
  const executor = localExecutor();
  let held: Promise<void> | undefined;
  const reader: typeof executor = {
    ...executor,
    run: async (statements) => {
      const rows = await executor.run(statements);
      const holding = held;
      if (!statements.some(({ sql }) => sql.startsWith('select "id", "row"'))) return rows;
      held = undefined;
      await holding;
      return rows;
    },
  };
  const database = new IndexDatabase("sqlite", executor, reader);
  await database.makeTables();
  const index = await SessionIndex.load(database, { sources: ["folder"], madeBy: "test" });
  const entries = ["one", "two"].map(entryOf);
  await index.found(entries);
  for (const entry of entries) index.addResult(entry, await readResultOf(entry.id, LINES));
  await index.settled();
  let release = () => {};
  held = new Promise((resolve) => {
    release = resolve;
  });
  index.kinship.relate(true);
  return { database, index, readResultOf, release };
}

it("facts that arrive while relations are written are not lost", async () => {
  const { index, readResultOf, release } = await relating();
  const longer = await readResultOf("two", [...LINES, userLine("Three.", "u2", "a1"), assistantLine("4.", "a2", "u2")]);
  index.addResult({ ...entryOf("two"), version: { bytes: 2, mtimeMs: 2 } }, longer);
  await Promise.race([index.settled(), delay(50)]);
  release();
  await index.settled();
  index.kinship.relate(true);
  await vi.waitFor(() => expect(index.isRelating).toBe(false));
  expect((await index.row("two"))?.summary?.requests).toBe(2);
  expect((await index.row("one"))?.related).toMatchObject([{ kind: "copy-of", id: "two" }]);
  await index.close();
});

it("a session removed while its relations are written leaves no row", async () => {
  const { database, index, release } = await relating();
  const forgotten = index.forget("two");
  await Promise.race([forgotten, delay(50)]);
  release();
  await forgotten;
  index.kinship.relate(true);
  await vi.waitFor(() => expect(index.isRelating).toBe(false));
  expect(await database.query.selectFrom("sessions").select("id").execute()).toEqual([{ id: "one" }]);
  await index.close();
});
