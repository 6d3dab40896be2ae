import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { expect, it, vi } from "vitest";
import { getServer } from "./server";
import { closeServer } from "./shared-server";
import { assistantLine, put, userLine } from "./testing/files";
import { listedSessions, servedFolder } from "./testing/serving";

const { base, mounted } = servedFolder();
const index = join(base, "data", "index.sqlite");

put(mounted, "a.jsonl", [userLine("One.", "u1"), assistantLine("Two.", "a1", "u1")].join("\n"));

/** Resolves when the list shows the fully read file. */
const listed = () =>
  vi.waitFor(
    async () => {
      const sessions = await listedSessions();
      expect(sessions.map(({ name, title }) => [name, title])).toEqual([["a.jsonl", "One."]]);
    },
    { timeout: 60_000, interval: 100 },
  );

/** Changes the index as another program would, whether the server is running or not. */
function changeIndex(sql: string): void {
  const file = new Database(index, { timeout: 5000 });
  file.exec(sql);
  file.close();
}

/** Has all rows written again, which reads the old ones first. */
async function readAgain(): Promise<void> {
  await getServer()
    .listing.steerIndexing("again")
    .catch(() => undefined);
}

const DAMAGE = [
  "update sessions set row = cast(x'7bff7d' as text)",
  "drop table session_links",
  "drop table sessions",
  "drop table search",
];

it.each([
  "update sessions set figures = cast(x'61ff' as text)",
  "update files set inode = cast(x'ff' as text)",
  ...DAMAGE,
])("an index damaged while the server was off is moved aside, and all files are listed again: %s", async (sql) => {
  await listed();
  await closeServer();
  rmSync(`${index}.old`, { force: true });
  changeIndex(sql);
  await listed();
  await readAgain();
  await vi.waitFor(() => expect(existsSync(`${index}.old`)).toBe(true), { timeout: 30_000 });
  await listed();
});

it.each(DAMAGE)(
  "an index damaged while the server runs is moved aside, and all files are listed again: %s",
  async (sql) => {
    await listed();
    rmSync(`${index}.old`, { force: true });
    changeIndex(sql);
    await readAgain();
    await vi.waitFor(
      async () => {
        await listedSessions();
        expect(existsSync(`${index}.old`)).toBe(true);
      },
      { timeout: 30_000, interval: 100 },
    );
    await listed();
  },
);
