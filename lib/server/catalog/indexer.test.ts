import { expect, it, vi } from "vitest";
import { LocalRunner } from "@/lib/server/tasks";
import { assistantLine, put, temporaryFolder, userLine } from "@/lib/server/testing/files";
import type { CatalogEntry } from "./catalog";
import { Indexer } from "./indexer";

const folder = temporaryFolder();
const path = put(folder, "two.jsonl", [userLine("One.", "u1"), assistantLine("Two.", "a1", "u1")].join("\n"));
const entry: CatalogEntry = {
  ...{ id: "two", source: "folder", kind: "folder", agent: null, path, name: "two.jsonl", placed: {} },
  version: { bytes: 1, mtimeMs: 1 },
};

it("opening a session that is already known changes nothing", async () => {
  const runner = new LocalRunner();
  const worker = {
    isAsked: () => false,
    head: (task: Parameters<LocalRunner["head"]>[0]) => runner.head(task),
    ingest: (task: Parameters<LocalRunner["ingest"]>[0]) => runner.ingest(task),
  };
  const indexer = new Indexer(worker, async () => undefined);
  indexer.want([entry]);
  await vi.waitFor(() => expect(indexer.of(entry)?.summary?.requests).toBe(1));
  const { revision } = indexer;
  indexer.learn(entry, await runner.ingest({ path }));
  expect(indexer.revision).toBe(revision);
  const grown = { ...entry, version: { bytes: 2, mtimeMs: 2 } };
  indexer.learn(grown, await runner.ingest({ path }));
  expect(indexer.revision).not.toBe(revision);
});
