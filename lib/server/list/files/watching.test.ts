import { appendFileSync, mkdirSync, renameSync, rmSync, watch } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { configFrom } from "../../base/config";
import { UploadStore } from "../../store/upload-store";
import { put, temporaryFolder } from "../../testing/files";
import { Catalog } from "./catalog";
import type { CatalogEntry } from "./entries";
import { FolderWatch, type WatchFolder } from "./folder-watch";
import { sourcesOf } from "./sources";

const base = temporaryFolder();
const home = join(base, "home");
const mounted = join(base, "mounted");
const claw = join(home, ".openclaw", "agents", "main", "sessions");
const opened: FolderWatch[] = [];

beforeEach(() => {
  for (const folder of [home, mounted]) rmSync(folder, { recursive: true, force: true });
  for (const folder of [join(mounted, "deep", "er"), claw]) mkdirSync(folder, { recursive: true });
  put(mounted, "first.jsonl", "{}");
});
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

type Given = Partial<ConstructorParameters<typeof FolderWatch>[0]>;

/** A catalog whose clock advances only with checks, its number of walks, its reports and its console output. */
function watched(given: Given = {}) {
  const printed: string[] = [];
  const watching = new FolderWatch({ say: (sentence) => printed.push(sentence), ...given });
  opened.push(watching);
  const config = {
    ...configFrom({ HOME: home, CONTEXT_REPLAY_DATA: join(base, "data") }),
    root: base,
    dirs: [mounted],
  };
  const uploads = new UploadStore(join(base, "data", "uploads"), 1000);
  let now = 0;
  const catalog = new Catalog(sourcesOf(config), uploads, undefined, undefined, () => now, watching);
  const reported: string[][] = [];
  const walked = vi.fn(async () => undefined);
  catalog.listen({
    found: async (entries) => void reported.push(entries.map(({ name }) => name)),
    walked,
    gone: async () => undefined,
  });
  const list = async (ms = 600): Promise<CatalogEntry[]> => {
    now += ms;
    return catalog.list();
  };
  const names = async (ms?: number) => (await list(ms)).map(({ name }) => name).sort();
  /** Waits for the system's notification; the clock advances much less than until the next scan. */
  const becomes = (expected: readonly string[]) =>
    vi.waitFor(async () => expect(await names()).toEqual(expected), { timeout: 20_000, interval: 250 });
  return { catalog, watching, printed, reported, walked, list, names, becomes };
}

describe("watched folders", () => {
  it("report new, grown, moved and vanished files and folders without another scan", async () => {
    const { list, becomes, reported, walked } = watched();
    await becomes(["first.jsonl"]);
    reported.length = 0;
    put(join(mounted, "deep", "er"), "second.jsonl", "{}");
    await becomes(["first.jsonl", "second.jsonl"]);
    const path = put(mounted, "third.jsonl", "{}");
    put(mounted, "notes.txt", "no session");
    await becomes(["first.jsonl", "second.jsonl", "third.jsonl"]);
    appendFileSync(path, "\n{}\n");
    await vi.waitFor(
      async () => expect((await list()).find(({ name }) => name === "third.jsonl")?.version.bytes).toBe(6),
      { timeout: 20_000, interval: 250 },
    );
    // Nothing else was read.
    expect(new Set(reported.flat())).toEqual(new Set(["second.jsonl", "third.jsonl"]));
    rmSync(path);
    await becomes(["first.jsonl", "second.jsonl"]);
    mkdirSync(join(mounted, "made", "below"), { recursive: true });
    put(join(mounted, "made", "below"), "fourth.jsonl", "{}");
    await becomes(["first.jsonl", "fourth.jsonl", "second.jsonl"]);
    put(join(mounted, "made", "below"), "fifth.jsonl", "{}");
    await becomes(["fifth.jsonl", "first.jsonl", "fourth.jsonl", "second.jsonl"]);
    expect(walked).toHaveBeenCalledTimes(1);
    rmSync(join(mounted, "made"), { recursive: true });
    await becomes(["first.jsonl", "second.jsonl"]);
    renameSync(join(mounted, "deep"), join(mounted, "moved"));
    put(join(mounted, "moved", "er"), "sixth.jsonl", "{}");
    await becomes(["first.jsonl", "second.jsonl", "sixth.jsonl"]);
  });

  it("report a folder that replaces a vanished one", async () => {
    const { becomes } = watched();
    await becomes(["first.jsonl"]);
    for (const name of ["again", "twice"]) {
      rmSync(join(mounted, "deep"), { recursive: true });
      mkdirSync(join(mounted, "deep"));
      put(join(mounted, "deep"), `${name}.jsonl`, "{}");
      await becomes(["first.jsonl", `${name}.jsonl`].sort());
    }
  });

  it("report a source that appears and disappears", async () => {
    rmSync(mounted, { recursive: true });
    put(claw, "claw.jsonl", "{}");
    const { becomes, catalog } = watched();
    await becomes(["claw.jsonl"]);
    mkdirSync(mounted);
    put(mounted, "new.jsonl", "{}");
    await becomes(["claw.jsonl", "new.jsonl"]);
    rmSync(mounted, { recursive: true });
    await becomes(["claw.jsonl"]);
    const source = (await catalog.sources()).find(({ path }) => path === mounted);
    expect(source).toMatchObject({ found: false, problems: [{ code: "vanished", path: "" }] });
  });

  it("report changes of an agent's own session index", async () => {
    put(claw, "one.jsonl", "{}");
    const { becomes, list, walked } = watched();
    await becomes(["first.jsonl", "one.jsonl"]);
    put(claw, "sessions.json", JSON.stringify({ main: { sessionId: "one", updatedAt: 1, label: "The shop" } }));
    await vi.waitFor(
      async () => expect((await list()).find(({ name }) => name === "one.jsonl")?.title).toBe("The shop"),
      { timeout: 20_000, interval: 250 },
    );
    expect(walked).toHaveBeenCalledTimes(1);
  });

  it("are scanned again after a while, since the system may lose notifications", async () => {
    const { names, walked } = watched();
    await names();
    await names(30_000);
    expect(walked).toHaveBeenCalledTimes(1);
    await names(31_000);
    expect(walked).toHaveBeenCalledTimes(2);
  });

  it("count as completely watched even if one of them is unreadable", async () => {
    const watchFolder: WatchFolder = (...given) => {
      if (given[0].endsWith("er")) throw Object.assign(new Error("no"), { code: "EACCES" });
      return watch(...given);
    };
    const { names, watching, printed } = watched({ watchFolder });
    await names();
    expect([watching.isComplete, printed]).toEqual([true, []]);
  });
});

describe("folders that cannot all be watched", () => {
  it("are scanned every few seconds if the system stops watching, which is printed once", async () => {
    const watchFolder = vi.fn<WatchFolder>(() => {
      throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    });
    const { names, printed, walked } = watched({ watchFolder });
    expect(await names()).toEqual(["first.jsonl"]);
    put(join(mounted, "deep"), "second.jsonl", "{}");
    expect(await names(2000)).toEqual(["first.jsonl"]);
    expect(await names(2000)).toEqual(["first.jsonl", "second.jsonl"]);
    await names(4000);
    expect(walked).toHaveBeenCalledTimes(3);
    expect(printed).toEqual([
      "the system cannot watch more folders (ENOSPC); all are searched every few seconds instead.",
    ]);
    // Watching is not tried again and again.
    expect(watchFolder).toHaveBeenCalledTimes(1);
  });

  it("are scanned if there are too many; the watched ones still report at once", async () => {
    const { list, names, becomes, watching, walked } = watched({ maxFolders: 3 });
    await names();
    expect(watching.isComplete).toBe(false);
    // The folders of the first source are the watched ones.
    put(claw, "claw.jsonl", "{}");
    await vi.waitFor(() => expect(watching.hasChanges).toBe(true), { timeout: 20_000 });
    expect(await names()).toEqual(["claw.jsonl", "first.jsonl"]);
    expect(walked).toHaveBeenCalledTimes(1);
    put(join(mounted, "deep"), "second.jsonl", "{}");
    await list(4000);
    await becomes(["claw.jsonl", "first.jsonl", "second.jsonl"]);
    expect(walked.mock.calls.length).toBeGreaterThan(1);
  });
});

it("no folder is watched after closing", async () => {
  const { names, watching } = watched();
  await names();
  watching.close();
  put(mounted, "second.jsonl", "{}");
  watching.add(join(mounted, "deep"));
  expect([watching.isComplete, watching.hasChanges]).toEqual([false, false]);
});
