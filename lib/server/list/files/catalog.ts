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

/** A request of the list renews a listing that is older than this. */
const FRESH_MS = 3000;
/** The pause after a walk is this multiple of its duration, within limits, so that walking thousands of files never takes most of the time. */
const PAUSE = 4;
const LONGEST_FRESH_MS = 30_000;
/** Minimum interval between checks of changes in watched folders, and interval of full walks, since a system may lose notifications. */
const LOOK_MS = 500;
const WATCHED_MS = 60_000;
/** Maximum wait of the list for a new listing; then it answers with the last one. */
const PATIENCE_MS = 700;
/** Maximum wait of the first list for all files; then it answers with those found so far. */
const FIRST_PATIENCE_MS = 150;

/** The existing sessions. A caller waits for a newer listing only briefly. Knows ids, but reads no file's content. */
export class Catalog {
  readonly #files: FoundFiles;
  readonly #sources: readonly SourceRoot[];
  readonly #watch: FolderWatch | undefined;
  readonly #now: () => number;
  #walkedAt = Number.NEGATIVE_INFINITY;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #freshMs = FRESH_MS;
  #looking: Promise<void> | undefined;

  /**
   * @param stores finds stores other than folders of files
   * @param databases lists the sessions of readable ones
   * @param watch reports changes between two walks; without it, walks find them
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
    this.#sources = sources;
    this.#watch = watch;
    this.#now = now;
  }

  /** Reports walks to a listener; there is only one. */
  listen(listener: FoundListener): void {
    this.#files.listen(listener);
  }

  /** Sources whose agent deletes its files, and after how many days. */
  get deletions(): { source: string; agent: string; days: number }[] {
    return this.#sources.flatMap(({ id: source, agent, deletedAfter }) =>
      agent === null || deletedAfter === undefined ? [] : [{ source, agent, days: deletedAfter() }],
    );
  }

  /** Ids of the sources, including uploads, and known databases. */
  get sourceIds(): string[] {
    return this.#files.sourceIds;
  }

  /** Searches for databases, without opening any. */
  lookForDatabases(): Promise<void> {
    return this.#files.lookForDatabases();
  }

  /** True after the first walk of the folders. */
  get isWalked(): boolean {
    return this.#walkedAt !== Number.NEGATIVE_INFINITY;
  }

  /** The sessions, with samples only if there are no others. */
  async list(): Promise<CatalogEntry[]> {
    await this.#refreshed(PATIENCE_MS);
    return this.known();
  }

  /** Starts the first walk without waiting. */
  begin(): void {
    // The first waiting caller gets the error.
    if (!this.isWalked) this.#refreshed(Number.POSITIVE_INFINITY).catch(() => undefined);
  }

  /** Renews the listing if due, and waits briefly; for the first walk until it has found something. */
  async refresh(): Promise<void> {
    if (this.isWalked) return this.#refreshed(PATIENCE_MS);
    const walked = this.#refreshed(Number.POSITIVE_INFINITY);
    await withinMs(walked, FIRST_PATIENCE_MS);
    if (!this.isWalked) await Promise.race([walked, this.#files.first]);
  }

  /** Changes exactly if the list changes. */
  get revision(): number {
    return this.#files.revision;
  }

  /** All sessions of the last listing, samples included; checks no folder. */
  all(): CatalogEntry[] {
    return [...this.#files.entries.values()];
  }

  /** As `all`, but samples only if there are no other sessions. */
  known(): CatalogEntry[] {
    const all = this.all();
    const own = all.filter((entry) => entry.kind !== "samples");
    return own.length > 0 ? own : all;
  }

  /**
   * The session with this id, with its file's present version. After an id, `~FORMAT` selects a format, and `~FORMAT~SESSION` one session of the
   * file; either may be empty. Rejects with `InputError` "not-found" if there is no such session or its file is gone.
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
    // After any failure the file counts as missing. A real path that has become a link leads elsewhere.
    const info = await stat(entry.path).catch(() => undefined);
    const real = entry.kind === "upload" ? entry.path : await realpath(entry.path).catch(() => undefined);
    if (info === undefined || real !== entry.path)
      throw new InputError("not-found", `${entry.name} is no longer there.`);
    return { ...entry, id, version: { bytes: info.size, mtimeMs: info.mtimeMs, format, session } };
  }

  /** True if a session of this id is in the last listing. */
  has(id: string): boolean {
    return this.#files.entries.has(id);
  }

  /** Lists an upload at once, and returns its entry. */
  addUpload(upload: StoredUpload): CatalogEntry {
    return this.#files.addUpload(upload);
  }

  dropUpload(id: string): void {
    this.#files.dropUpload(id);
  }

  async sources(): Promise<SourceEntry[]> {
    await this.#refreshed(PATIENCE_MS);
    return this.#files.sources();
  }

  async #refreshed(patience: number): Promise<void> {
    const { hasChanges = false, isComplete = false } = this.#watch ?? {};
    if (this.#now() - this.#lookedAt < (hasChanges || isComplete ? LOOK_MS : this.#freshMs)) return;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    // Without a first listing there is no answer, so the caller waits for it.
    await withinMs(this.#looking, this.isWalked ? patience : Number.POSITIVE_INFINITY);
  }

  /** Walks all folders if due, else checks the reported changes. */
  async #look(): Promise<void> {
    const real = await this.#files.realPaths();
    const freshMs = this.#watch?.isComplete ? Math.max(WATCHED_MS, this.#freshMs) : this.#freshMs;
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

/** Waits for the work, at most `ms`; the work continues. */
async function withinMs(work: Promise<void>, ms: number): Promise<void> {
  if (ms === Number.POSITIVE_INFINITY) return work;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  // The next waiting request reports a later failure of the listing, instead of an unhandled rejection.
  work.catch(() => undefined);
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
