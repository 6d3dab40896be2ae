import { appendFileSync, readFileSync, statSync } from "node:fs";
import { expect, it, vi } from "vitest";
import type { IndexTask } from "../../jobs/jobs";
import { SessionStore } from "../../sessions/session-store";
import { IndexDatabase } from "../../store/database/database";
import { localExecutor } from "../../testing/databases";
import { assistantLine, put, temporaryFolder, userLine } from "../../testing/files";
import { localHandlers } from "../../testing/jobs";
import { LocalRunner } from "../../threads/local-runner";
import type { IngestAnswer } from "../../threads/tasks";
import type { CatalogEntry } from "../files/entries";
import { Indexer } from "./indexer";
import { SessionIndex } from "./session-index";

const folder = temporaryFolder();
const path = put(folder, "two.jsonl", [userLine("One.", "u1"), assistantLine("Two.", "a1", "u1")].join("\n"));
const { version } = await new LocalRunner().ingest({ path });
const entry: CatalogEntry = {
  id: "two",
  source: "folder",
  kind: "folder",
  agent: null,
  path,
  name: "two.jsonl",
  placed: {},
  version,
};

async function indexing(open: (entry: CatalogEntry) => Promise<boolean> = async () => false) {
  const runner = new LocalRunner();
  const read = vi.fn(localHandlers(runner).index);
  const head = vi.fn((task: Parameters<LocalRunner["head"]>[0]) => runner.head(task));
  const worker = {
    isAsked: () => false,
    head,
    atOnce: 2,
    opensLarge: true,
    text: "prompts" as const,
    index: read,
  };
  const database = new IndexDatabase("sqlite", localExecutor());
  await database.makeTables();
  const index = await SessionIndex.load(database, { sources: ["folder"], madeBy: "test" });
  await index.found([entry]);
  return { runner, read, head, index, indexer: new Indexer(worker, index, open) };
}

it("no file is read while indexing is stopped, and reading continues when it resumes", async () => {
  const { index, indexer, read } = await indexing();
  indexer.stop();
  indexer.want([entry]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([read.mock.calls.length, index.isRead(entry), indexer.isStopped]).toEqual([0, false, true]);
  indexer.resume();
  await vi.waitFor(() => expect(index.isRead(entry)).toBe(true));
});

it("the beginning of a visible row's file is read ahead if the whole file is not read in time", async () => {
  const { index, indexer, read, head } = await indexing();
  const other = { ...entry, id: "other", version: { ...version, mtimeMs: 1 } };
  await index.found([other]);
  read.mockImplementation(() => new Promise(() => undefined));
  const slow = (id: string) => ({ ...entry, id, path: `${path}-${id}` });
  // Two files are read at a time, so the oldest one waits.
  indexer.want([slow("first"), slow("second"), other]);
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2));
  indexer.hurry(["other"]);
  expect(head).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(head).toHaveBeenCalledTimes(1));
  await index.settled();
  expect((await index.row("other"))?.title).toBe("One.");
});

it("a file marked for re-reading is read once more, and shows its old facts meanwhile", async () => {
  const { index, indexer, read } = await indexing();
  indexer.want([entry]);
  await vi.waitFor(() => expect(index.isRead(entry)).toBe(true));
  indexer.want([entry]);
  expect(read).toHaveBeenCalledTimes(1);
  await index.readAgain();
  expect(index.isRead(entry)).toBe(false);
  expect((await index.row("two"))?.summary?.requests).toBe(1);
  indexer.want([entry]);
  await vi.waitFor(() => expect(index.isRead(entry)).toBe(true));
  expect(read).toHaveBeenCalledTimes(2);
});

it("a large file that changes while its session is held is read again", async () => {
  const growing = put(folder, "growing.jsonl", `${readFileSync(path)}\n${" ".repeat(9 << 20)}`);
  const runner = new LocalRunner();
  const store = new SessionStore({ asked: runner, background: runner }, (...read) => indexer.addResult(...read));
  const { index, indexer } = await indexing((entry) => store.openFirst(entry));
  const requests = async () => {
    const { size: bytes, mtimeMs } = statSync(growing);
    const found = { ...entry, path: growing, version: { bytes, mtimeMs } };
    await index.found([found]);
    indexer.want([found]);
    await vi.waitFor(() => expect(index.isRead(found)).toBe(true), 5000);
    return (await index.row("two"))?.summary?.requests;
  };
  expect(await requests()).toBe(1);
  appendFileSync(growing, `\n${userLine("Three.", "u2", "a1")}\n${assistantLine("Four.", "a2", "u2")}\n`);
  expect(await requests()).toBe(2);
});

it("opening a session that is already indexed does not change the index", async () => {
  const { runner, index, indexer } = await indexing();
  indexer.want([entry]);
  await vi.waitFor(() => expect(index.isRead(entry)).toBe(true));
  await vi.waitFor(() => expect(index.isRelating).toBe(false));
  expect((await index.row("two"))?.summary?.requests).toBe(1);
  const { generation } = index;
  indexer.addResult(entry, await runner.ingest({ path, indexed: "prompts" }));
  expect(index.generation).toBe(generation);
  const grown = { ...entry, version: { bytes: version.bytes + 1, mtimeMs: version.mtimeMs + 1 } };
  indexer.addResult(grown, await runner.ingest({ path, indexed: "prompts" }));
  await index.settled();
  expect(index.generation).not.toBe(generation);
});

/** Holds the next reading back until the returned function is called. */
function heldBack(read: { mockImplementationOnce(work: (task: IndexTask) => Promise<IngestAnswer>): unknown }) {
  let go: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  const { index } = localHandlers();
  read.mockImplementationOnce(async (task) => {
    await held;
    return index(task);
  });
  return () => go();
}

it("a file that grows during its reading is read again without another report", async () => {
  const { index, indexer, read } = await indexing();
  const go = heldBack(read);
  indexer.want([entry]);
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(1));
  const grown = { ...entry, version: { ...version, mtimeMs: version.mtimeMs + 1 } };
  await Promise.all([index.found([grown]), indexer.want([grown])]);
  expect(read).toHaveBeenCalledTimes(1);
  go();
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2));
});

it("a file that vanishes before or during its reading is not listed again", async () => {
  const { index, indexer, read } = await indexing();
  const go = heldBack(read);
  const other = { ...entry, id: "other", path: `${path}-gone` };
  await index.found([other]);
  indexer.want([entry]);
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(1));
  indexer.stop();
  indexer.want([other]);
  indexer.drop(["two", "other"]);
  await index.gone(["two", "other"]);
  const { generation } = index;
  go();
  indexer.resume();
  await vi.waitFor(() => expect(index.isRelating).toBe(false));
  await index.settled();
  expect([read.mock.calls.length, index.generation]).toEqual([1, generation]);
  expect((await index.row("two"))?.summary).toBeNull();
});
