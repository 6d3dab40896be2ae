import { realpath, stat } from "node:fs/promises";
import { isFormat } from "@/lib/agents/agents";
import type { SourceEntry } from "@/lib/queries/contract/schemas";
import { InputError } from "../../base/input-error";
import type { StoredUpload, UploadStore } from "../../store/upload-store";
import { Databases } from "./databases";
import { type CatalogEntry, partsOf } from "./entries";
import type { FolderWatch } from "./folder-watch";
import { FoundFiles, type FoundListener } from "./found-files";
import type { SourceRoot } from "./sources";
import type { FoundStore } from "./stores";

/** When the list is asked for, a listing that is older than this is renewed. */
const FRESH_MS = 3000;
/** A walk is followed by this many times what it has taken, within limits, so that walking thousands of files never takes most of the time. */
const PAUSE = 4;
const LONGEST_FRESH_MS = 30_000;
/** Where folders are watched, what has changed is looked at this often at most, and all is walked after the longer time, since a system may forget to tell. */
const LOOK_MS = 500;
const WATCHED_MS = 60_000;
/** The list waits at most this long for a new listing; then it answers with the last one. */
const PATIENCE_MS = 700;
/** The first list waits this long for all files where none is known; then it answers with the first that are found. */
const FIRST_PATIENCE_MS = 150;

/** Which sessions exist: the found files, as fresh as whoever asks has patience for. Knows ids, but reads no file's content. */
export class Catalog {
  readonly #files: FoundFiles;
  readonly #watch: FolderWatch | undefined;
  readonly #now: () => number;
  #walkedAt = Number.NEGATIVE_INFINITY;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #freshMs = FRESH_MS;
  #looking: Promise<void> | undefined;

  /**
   * @param stores finds what holds sessions but is no folder of files
   * @param databases lists the sessions of those that can be read
   * @param watch tells what has changed between two walks; without it, walks find that
   */
  constructor(
    sources: readonly SourceRoot[],
    uploads: UploadStore,
    stores: () => Promise<readonly FoundStore[]> = async () => [],
    databases: Databases = new Databases(async () => []),
    now: () => number = Date.now,
    watch?: FolderWatch,
  ) {
    this.#files = new FoundFiles({ sources, uploads, stores, databases, watch });
    this.#watch = watch;
    this.#now = now;
  }

  /** Has walks reported; there is one listener. */
  listen(listener: FoundListener): void {
    this.#files.listen(listener);
  }

  /** The sources' ids, that of uploads included, and those of databases as far as they were looked for. */
  get sourceIds(): string[] {
    return this.#files.sourceIds;
  }

  /** Looks which databases there are, without opening any. */
  lookForDatabases(): Promise<void> {
    return this.#files.lookForDatabases();
  }

  /** Whether the folders were walked at least once. */
  get isWalked(): boolean {
    return this.#walkedAt !== Number.NEGATIVE_INFINITY;
  }

  /** The sessions, with samples only where there is nothing else. */
  async list(): Promise<CatalogEntry[]> {
    await this.#refreshed(PATIENCE_MS);
    return this.known();
  }

  /** Begins the first walk, and waits for nothing. */
  begin(): void {
    // Whoever waits for it is told if it fails.
    if (!this.isWalked) this.#refreshed(Number.POSITIVE_INFINITY).catch(() => undefined);
  }

  /** Lists anew if it is time, and waits for that for a moment; for the first walk until it has found something. */
  async refresh(): Promise<void> {
    if (this.isWalked) return this.#refreshed(PATIENCE_MS);
    const walked = this.#refreshed(Number.POSITIVE_INFINITY);
    await withinMs(walked, FIRST_PATIENCE_MS);
    if (!this.isWalked) await Promise.race([walked, this.#files.first]);
  }

  /** Changes exactly when the list changes. */
  get revision(): number {
    return this.#files.revision;
  }

  /** All sessions as they were last listed, samples included; looks at no folder. */
  all(): CatalogEntry[] {
    return [...this.#files.entries.values()];
  }

  /** The same, with samples only where there is nothing else. */
  known(): CatalogEntry[] {
    const all = this.all();
    const own = all.filter((entry) => entry.kind !== "samples");
    return own.length > 0 ? own : all;
  }

  /**
   * The session with this id, with its file's present version. After an id, `~FORMAT` has the file read as that format, and `~FORMAT~SESSION` reads
   * only that one of the sessions that it holds; either may be empty. Rejects with `InputError` "not-found" where there is no such session or its
   * file is gone.
   */
  async get(id: string): Promise<CatalogEntry> {
    const { file, format, session } = partsOf(id);
    if (!this.#files.entries.has(file)) await this.#refreshed(Number.POSITIVE_INFINITY);
    const entry = this.#files.entries.get(file);
    if (entry === undefined || (format !== undefined && !isFormat(format)))
      throw new InputError("not-found", "There is no such session.");
    if (entry.kind === "database") {
      const now = await this.#files.storedNow(entry);
      if (now === undefined) throw new InputError("not-found", `${entry.name} is no longer there.`);
      return { ...now, id, version: { ...now.version, format, session } };
    }
    // Whatever the reason for a failure, the file is not there for us. A real path that has become a link leads somewhere else.
    const info = await stat(entry.path).catch(() => undefined);
    const real = entry.kind === "upload" ? entry.path : await realpath(entry.path).catch(() => undefined);
    if (info === undefined || real !== entry.path)
      throw new InputError("not-found", `${entry.name} is no longer there.`);
    return { ...entry, id, version: { bytes: info.size, mtimeMs: info.mtimeMs, format, session } };
  }

  /** Whether a session of this id is listed, as far as folders were looked at. */
  has(id: string): boolean {
    return this.#files.entries.has(id);
  }

  /** Lists an upload at once, and returns its entry. */
  addUpload(upload: StoredUpload): CatalogEntry {
    return this.#files.addUpload(upload);
  }

  /** Takes a removed upload off the list. */
  dropUpload(id: string): void {
    this.#files.dropUpload(id);
  }

  /** Where sessions are looked for. */
  async sources(): Promise<SourceEntry[]> {
    await this.#refreshed(PATIENCE_MS);
    return this.#files.sources();
  }

  async #refreshed(patience: number): Promise<void> {
    const { hasChanges = false, isWhole = false } = this.#watch ?? {};
    if (this.#now() - this.#lookedAt < (hasChanges || isWhole ? LOOK_MS : this.#freshMs)) return;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    // Before the first listing there is nothing to answer with, so the caller waits for it.
    await withinMs(this.#looking, this.isWalked ? patience : Number.POSITIVE_INFINITY);
  }

  /** Walks all folders if it is time, else looks at what has changed. */
  async #look(): Promise<void> {
    const real = await this.#files.realPaths();
    const freshMs = this.#watch?.isWhole ? Math.max(WATCHED_MS, this.#freshMs) : this.#freshMs;
    const isDue = this.#now() - this.#walkedAt >= freshMs || !this.#files.isOf(real);
    if (isDue || this.#watch === undefined) await this.#walk(real);
    else await this.#files.follow(this.#watch);
    this.#lookedAt = this.#now();
  }

  async #walk(real: readonly (string | undefined)[]): Promise<void> {
    const began = this.#now();
    await this.#files.walk(real);
    this.#walkedAt = this.#now();
    this.#freshMs = Math.min(LONGEST_FRESH_MS, Math.max(FRESH_MS, PAUSE * (this.#walkedAt - began)));
  }
}

/** Waits for the work, but no longer than `ms`; the work continues. */
async function withinMs(work: Promise<void>, ms: number): Promise<void> {
  if (ms === Number.POSITIVE_INFINITY) return work;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  // If the listing fails later, that is reported to the next request that waits for it, not as an unhandled rejection.
  work.catch(() => undefined);
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
