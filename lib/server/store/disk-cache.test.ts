import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { temporaryFolder } from "../testing/files";
import { DiskCache } from "./disk-cache";

const base = temporaryFolder();
const folder = () => mkdtempSync(join(base, "opened-"));
const content = (bytes: number, fill = 7) => new Uint8Array(bytes).fill(fill);
const filesOf = (place: string) =>
  readdirSync(place, { recursive: true, encoding: "utf8" })
    .map((name) => join(place, name))
    .filter((path) => statSync(path).isFile());
const bytesOf = (place: string) => filesOf(place).reduce((sum, path) => sum + statSync(path).size, 0);

async function keep(cache: DiskCache, key: string, bytes: Uint8Array, group = "group"): Promise<void> {
  cache.put(group, key, bytes);
  await cache.settled();
}

/** Stores entries of 1000 bytes, one after another. */
async function storeIn(place: string, maxBytes: number, keys: readonly string[]): Promise<void> {
  const cache = new DiskCache(place, maxBytes);
  for (const key of keys) await keep(cache, key, content(1000));
}

it.each([false, true])(
  "an entry is readable in another process under its key, by its owner only; in a thread: %s",
  async (isInThread) => {
    const place = folder();
    await keep(new DiskCache(place, 1e6), "a", content(5));
    const later = new DiskCache(place, 1e6, { isInThread });
    expect(await later.get("group", "a")).toEqual(Buffer.from(content(5)));
    expect([await later.get("group", "b"), await later.get("other", "a")]).toEqual([undefined, undefined]);
    for (const path of filesOf(place)) expect(statSync(path).mode & 0o077).toBe(0);
  },
);

it("a changed, truncated, extended or moved file is not returned", async () => {
  const place = folder();
  const cache = new DiskCache(place, 1e6);
  await keep(cache, "a", content(64));
  const [path = ""] = filesOf(place);
  const whole = readFileSync(path);
  await keep(cache, "b", content(64, 8));
  const other = readFileSync(filesOf(place).find((each) => each !== path) ?? "");
  const changed = fc.integer({ min: 0, max: whole.length - 1 }).chain((at) =>
    fc.integer({ min: 1, max: 255 }).map((by) => {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ by;
      return bytes;
    }),
  );
  const cut = fc.integer({ min: 0, max: whole.length - 1 }).map((at) => whole.subarray(0, at));
  const longer = fc.uint8Array({ minLength: 1 }).map((more) => Buffer.concat([whole, more]));
  const foreign = fc.uint8Array().map((bytes) => Buffer.from(bytes));
  await fc.assert(
    fc.asyncProperty(fc.oneof(changed, cut, longer, foreign, fc.constant(other)), async (bytes) => {
      writeFileSync(path, bytes);
      expect(await cache.get("group", "a")).toBeUndefined();
      await cache.settled();
      expect(filesOf(place)).not.toContain(path);
    }),
  );
  await keep(cache, "a", content(64));
  expect(await cache.get("group", "a")).toEqual(Buffer.from(content(64)));
});

it("the cache stays within its size and keeps recently used entries, across processes too", async () => {
  const place = folder();
  const maxBytes = 3 * 1100;
  await storeIn(place, maxBytes, ["a", "b", "c"]);
  const cache = new DiskCache(place, maxBytes);
  // Time passes between uses, or all of them are the same moment on disk.
  await new Promise((resolve) => setTimeout(resolve, 20));
  await keep(cache, "d", content(1000));
  expect(await cache.get("group", "b")).toBeDefined();
  await cache.settled();
  await keep(cache, "e", content(1000));
  const isStored = await Promise.all(
    ["a", "b", "c", "d", "e"].map(async (key) => (await cache.get("group", key)) !== undefined),
  );
  expect(isStored).toEqual([false, true, false, true, true]);
  await keep(cache, "too large", content(maxBytes));
  expect(await cache.get("group", "too large")).toBeUndefined();
  expect(bytesOf(place)).toBeLessThanOrEqual(maxBytes);
});

it("concurrent writes leave complete files within the limit", async () => {
  const place = folder();
  const caches = [new DiskCache(place, 20_000), new DiskCache(place, 20_000)];
  for (let at = 0; at < 100; at++)
    for (const cache of caches) cache.put(`group ${at % 3}`, `key ${at % 30}`, content(500, at % 30));
  await Promise.all(caches.map((cache) => cache.settled()));
  expect(filesOf(place).filter((path) => path.includes(".tmp-"))).toEqual([]);
  let found = 0;
  for (let at = 0; at < 30; at++) {
    const kept = await caches[0]?.get(`group ${at % 3}`, `key ${at}`);
    if (kept === undefined) continue;
    found += 1;
    expect(kept).toEqual(Buffer.from(content(500, at)));
  }
  expect(found).toBeGreaterThan(10);
  expect(bytesOf(place)).toBeLessThanOrEqual(2 * 20_000);
});

it("a group of entries is removed as a whole", async () => {
  const cache = new DiskCache(folder(), 1e6);
  await keep(cache, "a", content(5), "one");
  await keep(cache, "a", content(5), "two");
  await cache.drop("one");
  expect([await cache.get("one", "a"), await cache.get("two", "a")].map((kept) => kept !== undefined)).toEqual([
    false,
    true,
  ]);
});

it("without space, or in a read-only folder, nothing is stored and no call fails", async () => {
  const place = folder();
  const off = new DiskCache(place, 0);
  await keep(off, "a", content(5));
  expect([await off.get("group", "a"), filesOf(place)]).toEqual([undefined, []]);
  chmodSync(place, 0o500);
  const within = new DiskCache(join(place, "below"), 1e6);
  const nowhere = new DiskCache(join(put(place), "no folder"), 1e6);
  for (const cache of [within, nowhere]) await keep(cache, "a", content(5));
  expect(await nowhere.get("group", "a")).toBeUndefined();
  chmodSync(place, 0o700);
});

/** Makes a file, below which no folder can be. */
function put(place: string): string {
  chmodSync(place, 0o700);
  const path = join(place, "file");
  writeFileSync(path, "");
  return path;
}
