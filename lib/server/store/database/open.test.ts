import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { builtProgram } from "../../testing/bundles";
import { temporaryFolder } from "../../testing/files";
import { type OpenedIndex, openIndex } from "./open";

const root = builtProgram();
const base = temporaryFolder();
const folder = () => mkdtempSync(join(base, "data-"));
const open = (dataDir: string) => openIndex({ root, dataDir });

async function keep({ database }: OpenedIndex, text: string): Promise<void> {
  await database.write([database.query.insertInto("search").values({ rowid: 1, text })]);
}

const kept = async ({ database }: OpenedIndex) =>
  (await database.query.selectFrom("search").select("text").execute()).map(({ text }) => text);

it("an index is loaded again at the next start", async () => {
  const dataDir = folder();
  const first = await open(dataDir);
  await keep(first, "kept");
  const files = readdirSync(dataDir).filter((name) => name.startsWith("index.sqlite"));
  expect(files.map((name) => statSync(join(dataDir, name)).mode & 0o077)).toEqual(files.map(() => 0));
  await first.close();
  const second = await open(dataDir);
  expect(second.notes).toEqual([]);
  expect(await kept(second)).toEqual(["kept"]);
  await second.close();
});

it("a second process gets a copy and a notice, and does not write to the index", async () => {
  const dataDir = folder();
  const first = await open(dataDir);
  await keep(first, "kept");
  const second = await open(dataDir);
  expect(second.notes).toHaveLength(1);
  expect(second.notes[0]).toContain("another Context Replay");
  expect(await kept(second)).toEqual(["kept"]);
  await second.database.write([second.database.query.deleteFrom("search")]);
  await second.close();
  expect(await kept(first)).toEqual(["kept"]);
  await first.close();
  const third = await open(dataDir);
  expect(third.notes).toEqual([]);
  await third.close();
});

it.each([
  ["is not a database", (path: string) => writeFileSync(path, "not a database ".repeat(1000))],
  ["is of a later release", undefined],
])("an index that %s is moved aside with one sentence, and rebuilt", async (_what, damage) => {
  const dataDir = folder();
  const path = join(dataDir, "index.sqlite");
  const first = await open(dataDir);
  await keep(first, "lost");
  if (damage === undefined)
    await first.database.write([
      first.database.query.updateTable("meta").set({ value: "99" }).where("key", "=", "version"),
    ]);
  await first.close();
  damage?.(path);
  const second = await open(dataDir);
  expect(second.notes).toHaveLength(1);
  expect(second.notes[0]).toContain("set aside as index.sqlite.old");
  expect(await kept(second)).toEqual([]);
  await second.close();
  expect(existsSync(`${path}.old`)).toBe(true);
});

it("damage in the middle of an index that was not closed is detected at the start", async () => {
  const dataDir = folder();
  const path = join(dataDir, "index.sqlite");
  const first = await open(dataDir);
  const texts = Array.from({ length: 300 }, (_, at) => `text ${at} `.repeat(100));
  await first.database.write(
    texts.map((text, at) => first.database.query.insertInto("search").values({ rowid: at + 1, text })),
  );
  await first.close();
  const again = await open(dataDir);
  // It ends as a killed process does: without the note that it was closed.
  await again.database.close();
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(40_960, 7), 0, 40_960, Math.floor(statSync(path).size / 8192) * 4096);
  closeSync(file);
  const other = mkdtempSync(join(base, "moved-"));
  // The lock ended with the process.
  for (const name of readdirSync(dataDir).filter((each) => each.startsWith("index.sqlite")))
    renameSync(join(dataDir, name), join(other, name));
  const second = await open(other);
  expect(second.notes[0]).toContain("was damaged");
  await second.close();
  await again.close();
});
