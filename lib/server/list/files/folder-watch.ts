import { type FSWatcher, watch } from "node:fs";
import { statfs } from "node:fs/promises";
import { basename } from "node:path";

/** The most folders that are watched: every watch takes some of what the system has for all programs. */
const MOST = 5000;

/** File systems, by Linux's numbers, that do not tell what other machines write: NFS, SMB (two), CIFS, 9P, Ceph, FUSE, AFS, VirtualBox. */
const TELLS_NOTHING: ReadonlySet<number> = new Set([
  ...[0x6969, 0x517b, 0xfe534d42, 0xff534d42, 0x01021997, 0x00c36400, 0x65735546, 0x5346414f, 0x786f4256],
]);

/** Names in a folder that were written to, added or removed. */
export type Changes = ReadonlyMap<string, ReadonlySet<string>>;

/** As `fs.watch` watches a folder, with what is asked of it. */
export type WatchFolder = (
  folder: string,
  options: { readonly persistent: false },
  onChange: (event: string, name: string | null) => void,
) => FSWatcher;

interface WatchOptions {
  /** Takes a sentence for the person who started the program. */
  readonly say: (sentence: string) => void;
  readonly most?: number;
  /** The system's watching, for tests. */
  readonly watchFolder?: WatchFolder;
}

/**
 * Remembers what was written to in folders that were walked, until somebody asks. Folders are watched, not files: a folder tells of its files too. Where
 * not all can be watched, those that can are, and `isWhole` says that the others have to be walked.
 */
export class FolderWatch {
  readonly #say: (sentence: string) => void;
  readonly #most: number;
  readonly #watchFolder: WatchFolder;
  readonly #watchers = new Map<string, FSWatcher>();
  #changes = new Map<string, Set<string>>();
  /** Folders that the present walk has come to. */
  #seen = new Set<string>();
  #isWhole = false;
  #isMissed = false;
  #isOver = false;

  constructor({ say, most = MOST, watchFolder = watch }: WatchOptions) {
    this.#say = say;
    this.#most = most;
    this.#watchFolder = watchFolder;
  }

  /** Whether everything that changes is heard of, as far as the last walk went. */
  get isWhole(): boolean {
    return this.#isWhole && !this.#isMissed && !this.#isOver;
  }

  get hasChanges(): boolean {
    return this.#changes.size > 0;
  }

  /** What has changed since this was last asked. */
  takeChanges(): Changes {
    const changes = this.#changes;
    this.#changes = new Map();
    return changes;
  }

  /** A walk of all folders begins: it sees what has changed so far. */
  beginWalk(): void {
    this.#changes = new Map();
    this.#seen = new Set();
    this.#isMissed = false;
  }

  /** The walk is done: what it has not come to is watched no longer. */
  endWalk(): void {
    for (const folder of this.#watchers.keys()) if (!this.#seen.has(folder)) this.#release(folder);
    this.#isWhole = true;
  }

  /** Some folders that the walk will come to cannot be relied on to tell. */
  async canTell(root: string): Promise<boolean> {
    if (process.platform !== "linux") return true;
    const { type } = await statfs(root).catch(() => ({ type: 0 })); // It has gone: nothing is watched there.
    return !TELLS_NOTHING.has(type);
  }

  /** Notes that a folder is not watched. */
  miss(): void {
    this.#isMissed = true;
  }

  /** Watches a folder, from before its names are read. */
  add(folder: string): void {
    this.#seen.add(folder);
    if (this.#isOver || this.#watchers.has(folder)) return;
    if (this.#watchers.size >= this.#most) this.miss();
    else this.#begin(folder);
  }

  #begin(folder: string): void {
    try {
      const watcher = this.#watchFolder(folder, { persistent: false }, (_event, name) => this.#note(folder, name));
      // A folder that goes is missed by the one above it.
      watcher.on("error", () => this.#release(folder));
      this.#watchers.set(folder, watcher);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Watches nothing any longer. */
  close(): void {
    this.#isOver = true;
    for (const folder of [...this.#watchers.keys()]) this.#release(folder);
  }

  #note(folder: string, name: string | null): void {
    const isItself = name === basename(folder);
    // A folder that went, or was moved: one that comes in its place is watched when a walk comes to it.
    if (isItself) this.#release(folder);
    // Some systems do not say what it was.
    if (isItself || name === null) this.miss();
    if (name !== null) this.#changes.set(folder, (this.#changes.get(folder) ?? new Set()).add(name));
  }

  #release(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  #failed(error: unknown): void {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // A folder that has gone, or that we may not read, is told of by the walk.
    if (code !== "ENOSPC" && code !== "EMFILE") return;
    this.close();
    this.#say(`the system watches no more folders (${code}); they are looked through every few seconds instead.`);
  }
}
