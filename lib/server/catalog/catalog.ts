import { realpath, stat } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { isFormat } from "@/lib/agents/formats";
import type { StoredSession } from "@/lib/agents/session-database";
import type { SourceEntry, SourceProblem } from "@/lib/api/contract";
import { InputError } from "../ingest/input-error";
import type { StoredUpload, UploadStore } from "../uploads/upload-store";
import { addPlace, type Changed, lookAtChanges, type Places } from "./files/changed-files";
import { Databases } from "./files/databases";
import { type CatalogEntry, fileEntry, partsOf, storedEntry, UPLOADS, uploadEntry } from "./files/entries";
import type { FolderWatch } from "./files/folder-watch";
import { withProjects } from "./files/project-folders";
import { NO_PROBLEMS, toldProblems } from "./files/source-problems";
import type { SourceRoot } from "./files/sources";
import type { FoundStore } from "./files/stores";
import { UploadChanges } from "./files/upload-changes";
import { realFolder, walkInParts } from "./files/walk";
import { SessionIndexes } from "./index/session-indexes";

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

/** Takes files as they are found. */
export interface FoundListener {
  /** Called with parts of what a walk finds, uploads included. The walk goes on when the promise resolves. */
  found(entries: readonly CatalogEntry[]): Promise<void>;
  /** Called at the end of a walk, with every file that is there. */
  walked(entries: ReadonlyMap<string, CatalogEntry>): Promise<void>;
  /** Called between two walks with the ids of files that are not there any longer, and with every file that is. */
  gone(ids: readonly string[], entries: ReadonlyMap<string, CatalogEntry>): Promise<void>;
}

/** Which sessions exist. Walks the sources and knows ids, but reads no file's content. */
export class Catalog {
  readonly #sources: readonly SourceRoot[];
  readonly #uploads: UploadStore;
  readonly #now: () => number;
  #entries: ReadonlyMap<string, CatalogEntry> = new Map();
  #revision = 0;
  #found = new Set<string>();
  #problems: ReadonlyMap<string, readonly SourceProblem[]> = new Map();
  #stores: readonly FoundStore[] = [];
  /** The sessions of those of them that can be read. */
  #stored: ReadonlyMap<string, readonly StoredSession[]> = new Map();
  /** The sources' real paths, as the last walk found them, and the folders that it came to. */
  #real: readonly (string | undefined)[] = [];
  #places: Places = new Map();
  readonly #indexes = new SessionIndexes();
  #scannedAt = Number.NEGATIVE_INFINITY;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #freshMs = FRESH_MS;
  #looking: Promise<void> | undefined;
  readonly #uploadChanges = new UploadChanges();

  readonly #findStores: () => Promise<readonly FoundStore[]>;
  readonly #databases: Databases;
  readonly #watch: FolderWatch | undefined;
  #listener: FoundListener | undefined;
  /** Resolves when the first walk has found something. */
  #foundFirst: () => void = () => undefined;
  readonly #first = new Promise<void>((resolve) => {
    this.#foundFirst = resolve;
  });

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
    this.#sources = sources;
    this.#uploads = uploads;
    this.#findStores = stores;
    this.#databases = databases;
    this.#now = now;
    this.#watch = watch;
  }

  /** Has walks reported; there is one listener. */
  listen(listener: FoundListener): void {
    this.#listener = listener;
  }

  /** The sources' ids, that of uploads included, and those of databases as far as they were looked for. */
  get sourceIds(): string[] {
    return [...this.#sources.map(({ id }) => id), UPLOADS, ...this.#stores.map(({ id }) => id)];
  }

  /** Looks which databases there are, without opening any. */
  async lookForDatabases(): Promise<void> {
    this.#stores = await this.#findStores();
  }

  /** Whether the folders were walked at least once. */
  get isWalked(): boolean {
    return this.#scannedAt !== Number.NEGATIVE_INFINITY;
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
    if (!this.isWalked) await Promise.race([walked, this.#first]);
  }

  /** Changes exactly when the list changes. */
  get revision(): number {
    return this.#revision;
  }

  /** All sessions as they were last listed, samples included; looks at no folder. */
  all(): CatalogEntry[] {
    return [...this.#entries.values()];
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
    if (!this.#entries.has(file)) await this.#refreshed(Number.POSITIVE_INFINITY);
    const entry = this.#entries.get(file);
    if (entry === undefined || (format !== undefined && !isFormat(format)))
      throw new InputError("not-found", "There is no such session.");
    if (entry.kind === "database") {
      const now = await this.#storedNow(entry);
      return { ...now, id, version: { ...now.version, format, session } };
    }
    // Whatever the reason for a failure, the file is not there for us. A real path that has become a link leads somewhere else.
    const info = await stat(entry.path).catch(() => undefined);
    const real = entry.kind === "upload" ? entry.path : await realpath(entry.path).catch(() => undefined);
    if (info === undefined || real !== entry.path)
      throw new InputError("not-found", `${entry.name} is no longer there.`);
    return { ...entry, id, version: { bytes: info.size, mtimeMs: info.mtimeMs, format, session } };
  }

  /** A session of a database as it is now. Rejects with `InputError` "not-found". */
  async #storedNow({ id, source, name }: CatalogEntry): Promise<CatalogEntry> {
    const store = this.#stores.find((each) => each.id === source);
    const sessions = store === undefined ? [] : await this.#databases.sessionsOf(store);
    const now = store && sessions?.map((session) => storedEntry(store, session)).find((each) => each.id === id);
    if (now === undefined) throw new InputError("not-found", `${name} is no longer there.`);
    return now;
  }

  /** Whether a session of this id is listed, as far as folders were looked at. */
  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** Lists an upload at once, and returns its entry. */
  addUpload(upload: StoredUpload): CatalogEntry {
    const entry = uploadEntry(upload);
    this.#set(this.#uploadChanges.change(this.#entries, entry.id, entry));
    return entry;
  }

  /** Takes a removed upload off the list. */
  dropUpload(id: string): void {
    this.#set(this.#uploadChanges.change(this.#entries, partsOf(id).file));
  }

  /** Where sessions are looked for. */
  async sources(): Promise<SourceEntry[]> {
    await this.#refreshed(PATIENCE_MS);
    const counts = new Map<string, number>();
    for (const { source } of this.#entries.values()) counts.set(source, (counts.get(source) ?? 0) + 1);
    const places = [...this.#sources, { id: UPLOADS, label: UPLOADS, path: this.#uploads.folder }];
    const listed = places.map(({ id, label, path }) => ({
      id,
      label,
      path,
      found: this.#found.has(id),
      sessions: counts.get(id) ?? 0,
      store: null,
      ...NO_PROBLEMS,
      ...toldProblems(this.#problems.get(id) ?? []),
    }));
    const stores = this.#stores.map(({ id, label, path, exportCommand }) => ({
      id,
      label,
      path,
      found: true,
      sessions: counts.get(id) ?? 0,
      store: this.#stored.has(id) ? null : { exportCommand },
      ...NO_PROBLEMS,
    }));
    return [...listed, ...stores];
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
    const real = await Promise.all(this.#sources.map((source) => realFolder(source.path)));
    const freshMs = this.#watch?.isWhole ? Math.max(WATCHED_MS, this.#freshMs) : this.#freshMs;
    const isDue = this.#now() - this.#scannedAt >= freshMs || !isDeepStrictEqual(real, this.#real);
    if (isDue || this.#watch === undefined) await this.#scan(real);
    else await this.#lookAtChanges(this.#watch);
    this.#lookedAt = this.#now();
  }

  /** @param real the sources' real paths */
  async #scan(real: readonly (string | undefined)[]): Promise<void> {
    const began = this.#now();
    const found = new Set(this.#sources.filter((_, index) => real[index] !== undefined).map(({ id }) => id));
    const entries = new Map<string, CatalogEntry>();
    const take = async (found: readonly CatalogEntry[]) => {
      for (const entry of await this.#told(found)) entries.set(entry.id, entry);
      // What is found first is listed before the rest is found.
      if (!this.isWalked) this.#show(entries);
      if (entries.size > 0) this.#foundFirst();
    };
    this.#watch?.beginWalk();
    this.#uploadChanges.beginWalk(entries);
    await take((await this.#uploads.list()).map(uploadEntry));
    const problems = await this.#walkSources(real, take);
    this.#watch?.endWalk();
    // Uploads may have come and gone since the walk began.
    const uploads = (await this.#uploads.list()).map(uploadEntry);
    const there = new Set(uploads.map(({ id }) => id));
    for (const { id, kind } of entries.values()) if (kind === "upload" && !there.has(id)) entries.delete(id);
    await take(uploads);
    if ((await realFolder(this.#uploads.folder)) !== undefined) found.add(UPLOADS);
    this.#stored = await this.#sessionsOfStores();
    for (const store of this.#stores) await take(this.#entriesOf(store));
    this.#uploadChanges.applyTo(entries);
    await this.#listener?.walked(entries);
    this.#set(entries);
    this.#uploadChanges.endWalk();
    this.#found = found;
    this.#problems = problems;
    this.#real = real;
    this.#scannedAt = this.#now();
    this.#freshMs = Math.min(LONGEST_FRESH_MS, Math.max(FRESH_MS, PAUSE * (this.#scannedAt - began)));
  }

  /** Walks the sources one after the other, and returns what cannot be looked at. */
  async #walkSources(
    real: readonly (string | undefined)[],
    take: (found: readonly CatalogEntry[]) => Promise<void>,
  ): Promise<Map<string, readonly SourceProblem[]>> {
    const roots = real.filter((path) => path !== undefined);
    const paths = new Set<string>();
    const problems = new Map<string, readonly SourceProblem[]>();
    this.#places = new Map();
    for (const [index, source] of this.#sources.entries()) {
      const root = real[index];
      const isGone = root === undefined && this.#isMissed(source);
      const watch = root !== undefined && (await this.#watch?.canTell(root)) ? this.#watch : undefined;
      if (root !== undefined && watch === undefined) this.#watch?.miss();
      const met = await walkInParts(source, roots, {
        onFolder: (folder) => {
          addPlace(this.#places, { source, folder });
          watch?.add(folder.path);
        },
        onFound: (files) => {
          // A file that two sources list is one session, which belongs to the first source.
          const own = files.filter(({ path }) => !paths.has(path) && paths.add(path));
          return take(own.map((file) => fileEntry(source, file)));
        },
      });
      if (isGone || met.length > 0) problems.set(source.id, isGone ? [{ code: "vanished", path: "" }] : met);
    }
    return problems;
  }

  async #lookAtChanges(watch: FolderWatch): Promise<void> {
    const { found, gone, parts } = await lookAtChanges(watch.takeChanges(), {
      places: this.#places,
      roots: this.#real.filter((path) => path !== undefined),
      entries: this.#entries,
      onFolder: ({ folder }) => watch.add(folder.path),
    });
    const before = this.#stored;
    this.#stored = await this.#sessionsOfStores();
    const changed = this.#stores.filter(({ id }) => this.#stored.get(id) !== before.get(id));
    for (const entry of changed.flatMap((store) => this.#entriesOf(store))) found.set(entry.id, entry);
    const isStored = new Set([
      ...changed.map(({ id }) => id),
      ...[...before.keys()].filter((id) => !this.#stored.has(id)),
    ]);
    for (const { id, source } of this.#entries.values()) if (isStored.has(source) && !found.has(id)) gone.add(id);
    this.#noteProblems(parts);
    const told = await this.#told([...found.values()]);
    // Uploads may have come and gone meanwhile.
    const entries = new Map(this.#entries);
    for (const entry of told) entries.set(entry.id, entry);
    for (const id of gone) entries.delete(id);
    this.#set(entries);
    if (gone.size > 0) await this.#listener?.gone([...gone], entries);
  }

  /** Puts what cannot be looked at in a part of a source in the place of what was known of that part. */
  #noteProblems(parts: Changed["parts"]): void {
    const all = new Map(this.#problems);
    for (const { source, part, problems } of parts) {
      const others = (all.get(source.id) ?? []).filter(({ path }) => path !== part && !path.startsWith(`${part}/`));
      all.set(source.id, [...others, ...problems]);
    }
    this.#problems = all;
  }

  /** Tells the listener of files. Returns them with everything that is said of them beside them. */
  async #told(found: readonly CatalogEntry[]): Promise<readonly CatalogEntry[]> {
    if (found.length === 0) return found;
    const annotated = await withProjects(await this.#indexes.annotate(found));
    const told = annotated.map((entry) => this.#asBefore(entry));
    await this.#listener?.found(told);
    return told;
  }

  /** The sessions of the databases that can be read. */
  async #sessionsOfStores(): Promise<ReadonlyMap<string, readonly StoredSession[]>> {
    await this.lookForDatabases();
    const stored = new Map<string, readonly StoredSession[]>();
    for (const store of this.#stores) {
      const sessions = await this.#databases.sessionsOf(store);
      if (sessions !== undefined) stored.set(store.id, sessions);
    }
    return stored;
  }

  #entriesOf(store: FoundStore): CatalogEntry[] {
    return (this.#stored.get(store.id) ?? []).map((session) => storedEntry(store, session));
  }

  /** Whether a folder that is not there should be: it was asked for, or was there. */
  #isMissed({ id, kind }: SourceRoot): boolean {
    return kind === "folder" || this.#found.has(id) || this.#problems.has(id);
  }

  /** An entry in which nothing has changed is the one of before: of thousands, walks would otherwise leave copies to be collected. */
  #asBefore(entry: CatalogEntry): CatalogEntry {
    const before = this.#entries.get(entry.id);
    return before !== undefined && isDeepStrictEqual(before, entry) ? before : entry;
  }

  #set(entries: ReadonlyMap<string, CatalogEntry>): void {
    if (!isDeepStrictEqual(entries, this.#entries)) this.#show(entries);
  }

  #show(entries: ReadonlyMap<string, CatalogEntry>): void {
    this.#entries = entries;
    this.#revision += 1;
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
