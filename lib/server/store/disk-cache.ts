import { createHash, randomUUID } from "node:crypto";
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, rmdir, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LRUCache } from "lru-cache";
import type { Bytes, Milliseconds } from "@/lib/core/base/units";

/** First bytes of a file of this cache: a mark, then the digest of its key and content. */
const MARK = Buffer.from("CRKEPT1\n");
const DIGEST = 32;
const HEADER = MARK.length + DIGEST;
const TEMPORARY = ".tmp-";
/** Minimum age of a killed process's unfinished files. */
const STALE_MS = 3600 * 1000;
/** Precision of the stored time of last use: updating it on every use would cost a write per read. */
const USE_MS = 3600 * 1000;

/**
 * Contents on disk by key, within a number of bytes: least recently used ones are removed first. The folder may be deleted at any time, and contents
 * are checked on reading: a damaged, truncated or foreign file counts as missing. Failures of the disk are not errors here. Several processes may use
 * one folder.
 */
export class DiskCache {
  readonly #folder: string;
  readonly #maxBytes: Bytes;
  /** Sizes of the files by their paths below the folder, in order of use. */
  #kept: Promise<LRUCache<string, Bytes>> | undefined;
  readonly #working = new Set<Promise<void>>();
  readonly #disk: Disk;

  /**
   * @param maxBytes maximum bytes on disk; 0 keeps nothing
   * @param isInThread true if reading may block the thread, which is several times as fast for small files
   */
  constructor(folder: string, maxBytes: Bytes, { isInThread = false } = {}) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#disk = isInThread ? SYNCHRONOUS : ASYNCHRONOUS;
  }

  /** The content under a key. @param group names contents that are removed together */
  async get(group: string, key: string): Promise<Uint8Array | undefined> {
    if (this.#maxBytes === 0) return undefined;
    const place = placeOf(group, key);
    const path = join(this.#folder, place);
    const read = await tried(() => this.#disk.read(path));
    if (read === undefined) return undefined;
    const content = contentOf(read.file, key);
    if (content === undefined) this.#do(() => rm(path, { force: true }));
    else this.#do(() => this.#used(place, read.usedAt));
    return content;
  }

  /** Stores a content, in the background. */
  put(group: string, key: string, content: Uint8Array): void {
    const place = placeOf(group, key);
    this.#do(() => this.#write(group, place, [MARK, digestOf(key, content), content]));
  }

  /** Removes everything of a group. */
  async drop(group: string): Promise<void> {
    await rm(join(this.#folder, group), { recursive: true, force: true }).catch(() => undefined);
  }

  /** Resolves when all pending contents are written. */
  async settled(): Promise<void> {
    while (this.#working.size > 0) await Promise.all(this.#working);
  }

  async #write(group: string, place: string, parts: readonly Uint8Array[]): Promise<void> {
    const bytes = parts.reduce((sum, part) => sum + part.length, 0);
    if (bytes > this.#maxBytes) return;
    this.#kept ??= this.#found();
    const kept = await this.#kept;
    // Space is freed before it is used.
    kept.set(place, bytes);
    const temporary = join(this.#folder, group, `${TEMPORARY}${randomUUID()}`);
    try {
      await mkdir(join(this.#folder, group), { recursive: true, mode: 0o700 });
      await writeFile(temporary, parts, { mode: 0o600, flag: "wx" });
      await rename(temporary, join(this.#folder, place));
      // Other writes may have used the space meanwhile.
      if (!kept.has(place)) await this.#remove(place);
    } catch {
      kept.delete(place);
      await rm(temporary, { force: true });
    }
  }

  /** @param before its last use, from its file */
  async #used(place: string, before: Milliseconds): Promise<void> {
    const now = Date.now();
    if (now - before > USE_MS) await utimes(join(this.#folder, place), now / 1000, now / 1000);
    (await this.#kept)?.get(place);
  }

  /** Contents of earlier processes. */
  async #found(): Promise<LRUCache<string, Bytes>> {
    const files: { readonly place: string; readonly bytes: Bytes; readonly usedAt: number }[] = [];
    const namesIn = async (path: string) => (await tried(() => this.#disk.names(path))) ?? [];
    for (const group of await namesIn(this.#folder)) {
      for (const name of await namesIn(join(this.#folder, group))) {
        const place = join(group, name);
        const path = join(this.#folder, place);
        const info = await tried(() => this.#disk.stat(path)); // Another process may have removed it.
        if (info === undefined) continue;
        if (!name.startsWith(TEMPORARY)) files.push({ place, bytes: info.size, usedAt: info.mtimeMs });
        else if (Date.now() - info.mtimeMs > STALE_MS) await rm(path, { force: true });
      }
    }
    const kept = new LRUCache<string, Bytes>({
      maxSize: this.#maxBytes,
      sizeCalculation: (bytes) => bytes,
      dispose: (_bytes, place, reason) => reason === "evict" && this.#do(() => this.#remove(place)),
    });
    for (const { place, bytes } of files.sort((a, b) => a.usedAt - b.usedAt)) kept.set(place, bytes);
    return kept;
  }

  async #remove(place: string): Promise<void> {
    const path = join(this.#folder, place);
    await rm(path, { force: true });
    // A group with remaining contents stays.
    await rmdir(dirname(path)).catch(() => undefined);
  }

  #do(work: () => Promise<void>): void {
    const doing = work()
      .catch(() => undefined)
      .finally(() => this.#working.delete(doing));
    this.#working.add(doing);
  }
}

/** A file, and the time of its last use. */
interface Read {
  readonly file: Buffer;
  readonly usedAt: Milliseconds;
}

/** A cache's access to its folder. */
interface Disk {
  read(path: string): Promise<Read> | Read;
  stat(path: string): Promise<Stats> | Stats;
  names(path: string): Promise<string[]> | string[];
}

const SYNCHRONOUS: Disk = {
  read: readSynchronously,
  stat: (path) => statSync(path),
  names: (path) => readdirSync(path),
};

const ASYNCHRONOUS: Disk = { read: readAsynchronously, stat: (path) => stat(path), names: (path) => readdir(path) };

async function readAsynchronously(path: string): Promise<Read> {
  const handle = await open(path);
  try {
    const { mtimeMs } = await handle.stat();
    return { file: await handle.readFile(), usedAt: mtimeMs };
  } finally {
    await handle.close();
  }
}

function readSynchronously(path: string): Read {
  const handle = openSync(path, "r");
  try {
    const { mtimeMs } = fstatSync(handle);
    return { file: readFileSync(handle), usedAt: mtimeMs };
  } finally {
    closeSync(handle);
  }
}

/** An unreadable file counts as missing. */
async function tried<T>(read: () => Promise<T> | T): Promise<T | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}

function placeOf(group: string, key: string): string {
  return join(group, createHash("sha256").update(key).digest("base64url"));
}

function digestOf(key: string, content: Uint8Array): Buffer {
  return createHash("sha256").update(`${key}\0`).update(content).digest();
}

/** The content of a file, if it was stored under this key. */
function contentOf(file: Buffer, key: string): Uint8Array | undefined {
  const content = file.subarray(HEADER);
  const isWhole =
    file.subarray(0, MARK.length).equals(MARK) && file.subarray(MARK.length, HEADER).equals(digestOf(key, content));
  return isWhole ? content : undefined;
}
