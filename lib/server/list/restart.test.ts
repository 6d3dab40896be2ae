import { appendFileSync, copyFileSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { SessionPage, SessionRow } from "@/lib/queries/contract/schemas";
import { CONFIG_VARIABLE } from "../base/config";
import { counters } from "../base/counters";
import { getServer } from "../server";
import { closeServer } from "../shared-server";
import { builtProgram } from "../testing/bundles";
import { assistantLine, fixtureFiles, put, temporaryFolder, userLine } from "../testing/files";
import type { Priority } from "../threads/tasks";
import { listQuery } from "./list-query";

const base = temporaryFolder();
const mounted = join(base, "mounted");
const root = builtProgram();
const FILES = 24;

beforeAll(() => {
  mkdirSync(mounted);
  for (const path of fixtureFiles().slice(0, FILES)) copyFileSync(path, join(mounted, `${path.replaceAll("/", "-")}`));
  vi.stubEnv("HOME", join(base, "home"));
  vi.stubEnv("CONTEXT_REPLAY_DATA", join(base, "data"));
  vi.stubEnv(CONFIG_VARIABLE, JSON.stringify({ root, host: "127.0.0.1", port: 3000, packs: true, dirs: [mounted] }));
});
afterAll(async () => {
  await closeServer();
  vi.unstubAllEnvs();
});

async function list(query = {}): Promise<SessionPage> {
  return JSON.parse(
    new TextDecoder().decode(await getServer().listing.list(listQuery.parse({ limit: 200, ...query }))),
  );
}

/** The list once everything is read and the folders were walked again. */
async function whole(holds: (page: SessionPage) => boolean = () => true): Promise<SessionPage> {
  return vi.waitFor(
    async () => {
      const page = await list();
      expect(page.indexing.done).toBe(page.indexing.total);
      expect(holds(page)).toBe(true);
      return page;
    },
    { timeout: 25_000, interval: 200 },
  );
}

const named = (name: string) => (page: SessionPage) => page.sessions.find((row) => row.name === name);
const requests = (row: SessionRow | undefined) => row?.summary?.requests;

/** A page without the parts that belong to one run of the server. */
const lasting = ({ indexing, revision, ...rest }: SessionPage) => rest;

describe("the list", () => {
  it("is restored after a restart without reading any file", async () => {
    const first = await whole();
    expect(first.total).toBeGreaterThan(FILES / 2);
    expect(counters.filesParsed).toBeGreaterThanOrEqual(FILES);
    await closeServer();
    const before = { ...counters };
    expect(lasting(await list())).toEqual(lasting(first));
    await whole();
    expect(counters).toEqual(before);
  });

  it("is rebuilt if the index file was removed", async () => {
    const first = await whole();
    await closeServer();
    for (const ending of ["", "-wal", "-shm"]) rmSync(join(base, "data", `index.sqlite${ending}`), { force: true });
    expect(lasting(await whole())).toEqual(lasting(first));
  });
});

describe("an indexed file", () => {
  const lines = [userLine("One.", "u1"), assistantLine("Two.", "a1", "u1")];

  it("is read on from its previous end after growing, without reading another file", async () => {
    const path = put(mounted, "grows.jsonl", `${lines.join("\n")}\n`);
    await whole((page) => requests(named("grows.jsonl")(page)) === 1);
    const before = { ...counters };
    appendFileSync(path, `${assistantLine("Three.", "a2", "a1").replace("09:00:02", "09:00:03")}\n`);
    await whole((page) => requests(named("grows.jsonl")(page)) === 2);
    const { filesParsed, tailsRead, linesParsed } = counters;
    expect([filesParsed - before.filesParsed, tailsRead - before.tailsRead]).toEqual([0, 1]);
    // An appended line parses only itself.
    expect(linesParsed - before.linesParsed).toBe(1);
  });

  it("is read again after being replaced by one of equal size and time", async () => {
    const path = put(mounted, "replaced.jsonl", `${userLine("Old.", "u1")}\n`);
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    await whole((page) => named("replaced.jsonl")(page)?.title === "Old.");
    const other = put(base, "other.jsonl", `${userLine("New.", "u1")}\n`);
    utimesSync(other, 1_700_000_000, 1_700_000_000);
    renameSync(other, path);
    await whole((page) => named("replaced.jsonl")(page)?.title === "New.");
  });

  it("is marked as vanished, and restored when it reappears", async () => {
    const path = put(mounted, "vanishes.jsonl", `${lines.join("\n")}\n`);
    const name = "vanishes.jsonl";
    await whole((page) => requests(named(name)(page)) === 1);
    rmSync(path);
    await whole((page) => named(name)(page) === undefined);
    const { sessions } = await list({ where: ["gone=1"] });
    expect(sessions.map((row) => [row.name, requests(row)])).toEqual([[name, 1]]);
    writeFileSync(path, `${lines.join("\n")}\n`);
    await whole((page) => requests(named(name)(page)) === 1);
    expect((await list({ where: ["gone=1"] })).sessions).toEqual([]);
  });

  it("stays unreadable after a restart without being read again", async () => {
    put(mounted, "text.jsonl", "not a session\n");
    const wrong = await whole((page) => named("text.jsonl")(page)?.error != null);
    await closeServer();
    const before = counters.filesParsed;
    expect(named("text.jsonl")(await whole())).toEqual(named("text.jsonl")(wrong));
    expect(counters.filesParsed).toBe(before);
  });
});

it("after a restart, an opened session is opened and swept from the disk cache alone", async () => {
  const path = put(
    mounted,
    "opened.jsonl",
    `${[userLine("One.", "u1"), assistantLine("Two.", "a1", "u1")].join("\n")}\n`,
  );
  utimesSync(path, 1_700_000_000, 1_700_000_000);
  const id = named("opened.jsonl")(await whole((page) => requests(named("opened.jsonl")(page)) === 1))?.id ?? "";
  const opened = async (priority: Priority) => {
    const session = await getServer().open(id, priority);
    return { columns: session.columns, tokens: await session.tokens("claude-code") };
  };
  const first = await opened("asked");
  await closeServer();
  await whole();
  const before = { ...counters };
  // A sweep opens its sessions in the background.
  for (const priority of ["background", "asked"] as const) expect(await opened(priority)).toEqual(first);
  expect(counters).toEqual(before);
});

it("answers can be searched only if the index includes them", async () => {
  const lines = [userLine("Which cormorant?", "u1"), assistantLine("A spoonbill 琵鹭.", "a1", "u1")];
  put(mounted, "answers.jsonl", lines.join("\n"));
  const found = async () => {
    await whole((page) => requests(named("answers.jsonl")(page)) === 1);
    return (await Promise.all(["spoonbill", "琵鹭", "cormorant"].map((q) => list({ q })))).map(({ total }) => total);
  };
  expect(await found()).toEqual([0, 0, 1]);
  await closeServer();
  vi.stubEnv("CONTEXT_REPLAY_INDEX_TEXT", "messages");
  expect(await found()).toEqual([1, 1, 1]);
  await closeServer();
  vi.stubEnv("CONTEXT_REPLAY_INDEX_TEXT", "");
  expect(await found()).toEqual([0, 0, 1]);
});

it("prompts, paths and tools can be searched", async () => {
  put(
    mounted,
    "prompts.jsonl",
    [userLine("First.", "u1"), assistantLine("Yes.", "a1", "u1"), userLine("第二个问题 pelican", "u2", "a1")].join(
      "\n",
    ),
  );
  await whole((page) => requests(named("prompts.jsonl")(page)) === 1);
  for (const q of ["pelican", "二个问", "问题", "PELI 第二"]) {
    expect([q, (await list({ q })).sessions.map(({ name }) => name)]).toEqual([q, ["prompts.jsonl"]]);
  }
});
