import { expect, it, vi } from "vitest";
import { IndexDatabase } from "@/lib/server/database/database";
import { handlersOf } from "@/lib/server/jobs/open-jobs";
import { LocalRunner } from "@/lib/server/tasks";
import { localExecutor } from "@/lib/server/testing/databases";
import { assistantLine, put, temporaryFolder, userLine } from "@/lib/server/testing/files";
import type { CatalogEntry } from "./entries";
import { Indexer } from "./indexer";
import { SessionIndex } from "./session-index";

const folder = temporaryFolder();
const path = put(folder, "two.jsonl", [userLine("One.", "u1"), assistantLine("Two.", "a1", "u1")].join("\n"));
const { version } = await new LocalRunner().ingest({ path });
const entry: CatalogEntry = {
  ...{ id: "two", source: "folder", kind: "folder", agent: null, path, name: "two.jsonl", placed: {} },
  version,
};

it("opening a session that is already known changes nothing", async () => {
  const runner = new LocalRunner();
  const worker = {
    isAsked: () => false,
    head: (task: Parameters<LocalRunner["head"]>[0]) => runner.head(task),
    ...{ atOnce: 2, opensLarge: true },
    index: handlersOf(runner).index,
  };
  const database = new IndexDatabase("sqlite", localExecutor());
  await database.migrate();
  const index = await SessionIndex.load(database, { sources: ["folder"], madeBy: "test" });
  const indexer = new Indexer(worker, index, async () => undefined);
  await index.found([entry]);
  indexer.want([entry]);
  await vi.waitFor(() => expect(index.isRead(entry)).toBe(true));
  await vi.waitFor(() => expect(index.isRelating).toBe(false));
  expect((await index.row("two"))?.summary?.requests).toBe(1);
  const { generation } = index;
  indexer.learn(entry, await runner.ingest({ path, indexed: true }));
  expect(index.generation).toBe(generation);
  const grown = { ...entry, version: { bytes: version.bytes + 1, mtimeMs: version.mtimeMs + 1 } };
  indexer.learn(grown, await runner.ingest({ path, indexed: true }));
  await index.settled();
  expect(index.generation).not.toBe(generation);
});
