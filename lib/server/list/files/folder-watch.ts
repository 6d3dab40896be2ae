import { type FSWatcher, watch } from "node:fs";
import { statfs } from "node:fs/promises";
import { basename } from "node:path";

/** Maximum watched folders: each watch uses a limited resource of the system. */
const MAX_FOLDERS = 5000;

/** File systems, by Linux's numbers, that do not report writes of other machines: NFS, SMB (two), CIFS, 9P, Ceph, FUSE, AFS, VirtualBox. */
const REPORTS_NO_CHANGES: ReadonlySet<number> = new Set([
  ...[0x6969, 0x517b, 0xfe534d42, 0xff534d42, 0x01021997, 0x00c36400, 0x65735546, 0x5346414f, 0x786f4256],
]);

/** Names in a folder that were written to, added or removed. */
export type Changes = ReadonlyMap<string, ReadonlySet<string>>;

/** The parts of `fs.watch` that are used. */
export type WatchFolder = (
  folder: string,
  options: { readonly persistent: false },
  onChange: (event: string, name: string | null) => void,
) => FSWatcher;

interface WatchOptions {
  /** Prints a sentence on the server's console. */
  readonly say: (sentence: string) => void;
  readonly maxFolders?: number;
  /** The system's watching, for tests. */
  readonly watchFolder?: WatchFolder;
}

/**
 * Collects writes in walked folders until the next request. Folders are watched, not files: a folder reports its files too. If some cannot be
 * watched, `isComplete` is false, and all folders are walked regularly.
 */
export class FolderWatch {
  readonly #say: (sentence: string) => void;
  readonly #maxFolders: number;
  readonly #watchFolder: WatchFolder;
  readonly #watchers = new Map<string, FSWatcher>();
  #changes = new Map<string, Set<string>>();
  /** Folders of the present walk. */
  #seen = new Set<string>();
  #isComplete = false;
  #hasUnwatched = false;
  #isClosed = false;

  constructor({ say, maxFolders = MAX_FOLDERS, watchFolder = watch }: WatchOptions) {
    this.#say = say;
    this.#maxFolders = maxFolders;
    this.#watchFolder = watchFolder;
  }

  /** True if all changes are reported, as of the last walk. */
  get isComplete(): boolean {
    return this.#isComplete && !this.#hasUnwatched && !this.#isClosed;
  }

  get hasChanges(): boolean {
    return this.#changes.size > 0;
  }

  /** Changes since the last call. */
  takeChanges(): Changes {
    const changes = this.#changes;
    this.#changes = new Map();
    return changes;
  }

  /** Starts a full walk; earlier changes are discarded, since the walk finds them. */
  beginWalk(): void {
    this.#changes = new Map();
    this.#seen = new Set();
    this.#hasUnwatched = false;
  }

  /** Ends the walk: folders that it did not reach are no longer watched. */
  endWalk(): void {
    for (const folder of this.#watchers.keys()) if (!this.#seen.has(folder)) this.#release(folder);
    this.#isComplete = true;
  }

  /** Returns false if the folder's file system does not report writes of other machines. */
  async reportsChanges(root: string): Promise<boolean> {
    if (process.platform !== "linux") return true;
    const { type } = await statfs(root).catch(() => ({ type: 0 })); // The folder is gone, and is not watched.
    return !REPORTS_NO_CHANGES.has(type);
  }

  /** Notes that a folder is not watched. */
  markUnwatched(): void {
    this.#hasUnwatched = true;
  }

  /** Watches a folder, starting before its names are read. */
  add(folder: string): void {
    this.#seen.add(folder);
    if (this.#isClosed || this.#watchers.has(folder)) return;
    if (this.#watchers.size >= this.#maxFolders) this.markUnwatched();
    else this.#begin(folder);
  }

  #begin(folder: string): void {
    try {
      const watcher = this.#watchFolder(folder, { persistent: false }, (_event, name) => this.#note(folder, name));
      watcher.on("error", () => this.#release(folder));
      this.#watchers.set(folder, watcher);
    } catch (error) {
      this.#failed(error);
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const folder of [...this.#watchers.keys()]) this.#release(folder);
  }

  #note(folder: string, name: string | null): void {
    const isItself = name === basename(folder);
    // The folder is gone or moved: the next walk watches its successor.
    if (isItself) this.#release(folder);
    // Some systems do not name the changed file.
    if (isItself || name === null) this.markUnwatched();
    if (name !== null) this.#changes.set(folder, (this.#changes.get(folder) ?? new Set()).add(name));
  }

  #release(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  #failed(error: unknown): void {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // The walk reports a vanished or unreadable folder.
    if (code !== "ENOSPC" && code !== "EMFILE") return;
    this.close();
    this.#say(`the system cannot watch more folders (${code}); all are searched every few seconds instead.`);
  }
}
