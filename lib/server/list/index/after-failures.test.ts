import { setTimeout as delay } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { IndexDatabase } from "../../store/database/database";
import { localExecutor } from "../../testing/databases";
import { assistantLine, put, temporaryFolder, userLine } from "../../testing/files";
import { LocalRunner } from "../../threads/local-runner";
import { facetsOf, facetsQuery } from "../facets";
import type { CatalogEntry } from "../files/entries";
import { IndexColumns } from "./index-columns";
import { SessionIndex } from "./session-index";

const entryOf = (id: string, change: Partial<CatalogEntry> = {}): CatalogEntry => ({
  id,
  source: "folder",
  kind: "folder",
  agent: null,
  path: `/${id}`,
  name: `${id}.jsonl`,
  placed: {},
  version: { bytes: 1, mtimeMs: 1 },
  ...change,
});
const OPTIONS = { sources: ["folder"], madeBy: "test", retryMs: 20 };
const LINES = [userLine("One.", "u1"), assistantLine("Two.", "a1", "u1")];
const LONGER = [
  ...LINES,
  userLine("Three.", "u2", "a1"),
  assistantLine("4.", "a2", "u2").replace(/09:00:0\d/, "09:00:17"),
];
const folder = temporaryFolder();
async function readResultOf(name: string, lines: readonly string[]) {
  const path = put(folder, `${name}.jsonl`, lines.join("\n"));
  const { summary, requestKeys } = await new LocalRunner().ingest({ path, summaryOnly: true });
  return { summary, requestKeys, sparkline: null, error: null };
}
const related = async (index: SessionIndex) => {
  await index.settled();
  index.kinship.relate(true);
  await vi.waitFor(() => expect(index.isRelating).toBe(false));
};
/** An index of a session and of a copy of its beginning. */
async function two(database: IndexDatabase) {
  const index = await SessionIndex.load(database, OPTIONS);
  const [copy, whole] = [entryOf("copy"), entryOf("whole")];
  await index.found([copy, whole]);
  index.addResult(copy, await readResultOf("copy", LINES));
  index.addResult(whole, await readResultOf("whole", LONGER));
  await related(index);
  return { index, copy, whole };
}
/** Number of the copy's requests that count with the whole session. */
const repeated = async (index: SessionIndex) => (await index.row("copy"))?.repeatedRequests;
const open = async () => {
  const database = new IndexDatabase("sqlite", localExecutor());
  await database.makeTables();
  return database;
};

/** A database that refuses the statements which hold some words while `isAway` is set. */
async function failing(words: string, { reads = false } = {}) {
  const executor = localExecutor();
  const state = { isAway: false };
  const run: typeof executor.run = async (statements) => {
    if (state.isAway && statements.some(({ sql }) => sql.includes(words))) throw new Error("it does not answer");
    return executor.run(statements);
  };
  const broken = { ...executor, run };
  const database = reads
    ? new IndexDatabase("sqlite", executor, broken)
    : new IndexDatabase("sqlite", broken, executor);
  await database.makeTables();
  return { database, state };
}

it("a file that vanishes and reappears unchanged has the same relations and sums again", async () => {
  const database = await open();
  const { index, whole } = await two(database);
  const sums = async () => {
    const columns = new IndexColumns(database);
    const { total } = await facetsOf(columns, { sources: ["folder"] }, facetsQuery.parse({}));
    return [total.sessions, total.requests, total.copies];
  };
  const before = await sums();
  await index.gone(["whole"]);
  await related(index);
  expect(await repeated(index)).toBe(0);
  await index.found([whole]);
  expect(index.isRead(whole)).toBe(false);
  index.addResult(whole, await readResultOf("whole", LONGER));
  await related(index);
  expect(await sums()).toEqual(before);
});

it("after a restart, a copy counts as its own session once its original has vanished", async () => {
  const database = await open();
  const { index } = await two(database);
  await index.close();
  const again = await SessionIndex.load(database, OPTIONS);
  expect(await repeated(again)).toBe(1);
  await again.gone(["whole"]);
  await related(again);
  expect(await repeated(again)).toBe(0);
});

it("relations are written later if the first write fails", async () => {
  const { database, state } = await failing("is_new");
  const index = await SessionIndex.load(database, OPTIONS);
  await index.found([entryOf("copy"), entryOf("whole")]);
  index.addResult(entryOf("copy"), await readResultOf("copy", LINES));
  index.addResult(entryOf("whole"), await readResultOf("whole", LONGER));
  await index.settled();
  state.isAway = true;
  index.kinship.relate(true);
  await delay(100);
  expect([await repeated(index), index.isRelating]).toEqual([0, true]);
  state.isAway = false;
  await related(index);
  expect(await repeated(index)).toBe(1);
});

it("relations are queried again after the database failed the first query", async () => {
  const { database, state } = await failing('from "session_links"', { reads: true });
  const index = await SessionIndex.load(database, OPTIONS);
  await index.found([entryOf("copy")]);
  state.isAway = true;
  index.addResult(entryOf("copy"), await readResultOf("copy", LINES));
  await index.settled();
  expect(index.isUnwritten).toBe(true);
  state.isAway = false;
  await vi.waitFor(() => expect(index.isUnwritten).toBe(false));
});

const PLACED = { agent: "claude-code", placed: { projectFolder: "-work-app" } };

it.each(["in the same process", "after a restart"])(
  "a session gets its project after a crash between two writes: %s",
  async (when) => {
    const { database, state } = await failing('update "sessions" set "project"');
    const index = await SessionIndex.load(database, OPTIONS);
    const readResult = await readResultOf("naming", LINES);
    const resultWith = (project: string | null) => ({ ...readResult, summary: { ...readResult.summary, project } });
    await index.found([entryOf("waiting", PLACED), entryOf("naming", PLACED)]);
    index.addResult(entryOf("waiting", PLACED), resultWith(null));
    await index.settled();
    state.isAway = true;
    index.addResult(entryOf("naming", PLACED), resultWith("/work/app"));
    await index.settled();
    const isRestarted = when === "after a restart";
    if (isRestarted) await index.close();
    state.isAway = false;
    const now = isRestarted ? await SessionIndex.load(database, OPTIONS) : index;
    if (isRestarted) now.addResult(entryOf("third", PLACED), resultWith(null));
    await now.settled();
    await vi.waitFor(async () => expect((await now.row("waiting"))?.project).toBe("/work/app"));
  },
);
