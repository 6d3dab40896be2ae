import { isDeepStrictEqual } from "node:util";
import type { StoredSession } from "@/lib/agents/shared/session-database";
import type { SourceEntry, SourceProblem } from "@/lib/queries/contract/schemas";
import type { StoredUpload, UploadStore } from "../../store/upload-store";
import { addPlace, type Changed, lookAtChanges, type Places } from "./changed-files";
import type { Databases } from "./databases";
import { type CatalogEntry, fileEntry, partsOf, storedEntry, UPLOADS, uploadEntry } from "./entries";
import type { FolderWatch } from "./folder-watch";
import { withProjects } from "./project-folders";
import { SessionIndexes } from "./session-indexes";
import { listedProblems, NO_PROBLEMS } from "./source-problems";
import type { SourceRoot } from "./sources";
import type { FoundStore } from "./stores";
import { UploadChanges } from "./upload-changes";
import { realFolder, walkInParts } from "./walk";

export interface FoundListener {
  /** Called with parts of a walk's result, uploads included. The walk continues after the promise resolves. */
  found(entries: readonly CatalogEntry[]): Promise<void>;
  /** Called at the end of a walk, with every existing file. */
  walked(entries: ReadonlyMap<string, CatalogEntry>): Promise<void>;
  /** Called between two walks with the ids of vanished files, and with every existing file. */
  gone(ids: readonly string[], entries: ReadonlyMap<string, CatalogEntry>): Promise<void>;
}

/** Folders that are searched for sessions. */
interface SearchedPlaces {
  readonly sources: readonly SourceRoot[];
  readonly uploads: UploadStore;
  /** Finds stores of sessions other than folders of files. */
  readonly stores: () => Promise<readonly FoundStore[]>;
  /** Lists the sessions of readable stores. */
  readonly databases: Databases;
  /** Reports changes between two walks. */
  readonly watch: FolderWatch | undefined;
}

/** Files with sessions, as of the last check: a walk of all folders, or later changes. */
export class FoundFiles {
  readonly #at: SearchedPlaces;
  #entries: ReadonlyMap<string, CatalogEntry> = new Map();
  #revision = 0;
  #isWalked = false;
  #found = new Set<string>();
  #problems: ReadonlyMap<string, readonly SourceProblem[]> = new Map();
  #stores: readonly FoundStore[] = [];
  /** Sessions of readable stores. */
  #stored: ReadonlyMap<string, readonly StoredSession[]> = new Map();
  /** The sources' real paths, as of the last walk, and its folders. */
  #real: readonly (string | undefined)[] = [];
  #places: Places = new Map();
  readonly #indexes = new SessionIndexes();
  readonly #uploadChanges = new UploadChanges();
  #listener: FoundListener | undefined;
  #foundFirst: () => void = () => undefined;
  /** Resolves after the first walk has found something. */
  readonly first = new Promise<void>((resolve) => {
    this.#foundFirst = resolve;
  });

  constructor(at: SearchedPlaces) {
    this.#at = at;
  }

  /** Reports walks to a listener; there is only one. */
  listen(listener: FoundListener): void {
    this.#listener = listener;
  }

  get entries(): ReadonlyMap<string, CatalogEntry> {
    return this.#entries;
  }

  /** Changes exactly if the entries do. */
  get revision(): number {
    return this.#revision;
  }

  /** The current real paths of existing sources. */
  realPaths(): Promise<readonly (string | undefined)[]> {
    return Promise.all(this.#at.sources.map((source) => realFolder(source.path)));
  }

  /** True if the last walk used these real paths. */
  isOf(real: readonly (string | undefined)[]): boolean {
    return isDeepStrictEqual(real, this.#real);
  }

  /** Ids of the sources, including uploads, and known databases. */
  get sourceIds(): string[] {
    return [...this.#at.sources.map(({ id }) => id), UPLOADS, ...this.#stores.map(({ id }) => id)];
  }

  /** Searches for databases, without opening any. */
  async lookForDatabases(): Promise<void> {
    this.#stores = await this.#at.stores();
  }

  sources(): SourceEntry[] {
    const counts = new Map<string, number>();
    for (const { source } of this.#entries.values()) counts.set(source, (counts.get(source) ?? 0) + 1);
    const places = [...this.#at.sources, { id: UPLOADS, label: UPLOADS, path: this.#at.uploads.folder }];
    const listed = places.map(({ id, label, path }) => ({
      id,
      label,
      path,
      found: this.#found.has(id),
      sessions: counts.get(id) ?? 0,
      store: null,
      ...NO_PROBLEMS,
      ...listedProblems(this.#problems.get(id) ?? []),
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

  /** The current session of a database, if it still exists. */
  async storedNow({ id, source }: CatalogEntry): Promise<CatalogEntry | undefined> {
    const store = this.#stores.find((each) => each.id === source);
    const sessions = store === undefined ? [] : await this.#at.databases.sessionsOf(store);
    return store && sessions?.map((session) => storedEntry(store, session)).find((each) => each.id === id);
  }

  /** Lists an upload at once, and returns its entry. */
  addUpload(upload: StoredUpload): CatalogEntry {
    const entry = uploadEntry(upload);
    this.#set(this.#uploadChanges.change(this.#entries, entry.id, entry));
    return entry;
  }

  dropUpload(id: string): void {
    this.#set(this.#uploadChanges.change(this.#entries, partsOf(id).file));
  }

  /** Walks everything. @param real the sources' real paths */
  async walk(real: readonly (string | undefined)[]): Promise<void> {
    const found = new Set(this.#at.sources.filter((_, index) => real[index] !== undefined).map(({ id }) => id));
    const entries = new Map<string, CatalogEntry>();
    const take = async (found: readonly CatalogEntry[]) => {
      for (const entry of await this.#reported(found)) entries.set(entry.id, entry);
      // Early results are listed before the rest is found.
      if (!this.#isWalked) this.#show(entries);
      if (entries.size > 0) this.#foundFirst();
    };
    this.#at.watch?.beginWalk();
    this.#uploadChanges.beginWalk(entries);
    await take((await this.#at.uploads.list()).map(uploadEntry));
    const problems = await this.#walkSources(real, take);
    this.#at.watch?.endWalk();
    // Uploads may have changed since the walk began.
    const uploads = (await this.#at.uploads.list()).map(uploadEntry);
    const uploadIds = new Set(uploads.map(({ id }) => id));
    for (const { id, kind } of entries.values()) if (kind === "upload" && !uploadIds.has(id)) entries.delete(id);
    await take(uploads);
    if ((await realFolder(this.#at.uploads.folder)) !== undefined) found.add(UPLOADS);
    this.#stored = await this.#sessionsOfStores();
    for (const store of this.#stores) await take(this.#entriesOf(store));
    this.#uploadChanges.applyTo(entries);
    await this.#listener?.walked(entries);
    this.#set(entries);
    this.#uploadChanges.endWalk();
    this.#found = found;
    this.#problems = problems;
    this.#real = real;
    this.#isWalked = true;
  }

  /** Walks the sources one after another, and returns unreadable paths. */
  async #walkSources(
    real: readonly (string | undefined)[],
    take: (found: readonly CatalogEntry[]) => Promise<void>,
  ): Promise<Map<string, readonly SourceProblem[]>> {
    const roots = real.filter((path) => path !== undefined);
    const paths = new Set<string>();
    const problems = new Map<string, readonly SourceProblem[]>();
    this.#places = new Map();
    for (const [index, source] of this.#at.sources.entries()) {
      const root = real[index];
      const isGone = root === undefined && this.#isMissed(source);
      const watch = root !== undefined && (await this.#at.watch?.reportsChanges(root)) ? this.#at.watch : undefined;
      if (root !== undefined && watch === undefined) this.#at.watch?.markUnwatched();
      const met = await walkInParts(source, roots, {
        onFolder: (folder) => {
          addPlace(this.#places, { source, folder });
          watch?.add(folder.path);
        },
        onFound: (files) => {
          // A file in two sources is one session, which belongs to the first source.
          const own = files.filter(({ path }) => !paths.has(path) && paths.add(path));
          return take(own.map((file) => fileEntry(source, file)));
        },
      });
      if (isGone || met.length > 0) problems.set(source.id, isGone ? [{ code: "vanished", path: "" }] : met);
    }
    return problems;
  }

  /** Checks the watch's reports since the last walk. */
  async follow(watch: FolderWatch): Promise<void> {
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
    const reported = await this.#reported([...found.values()]);
    // Uploads may have changed meanwhile.
    const entries = new Map(this.#entries);
    for (const entry of reported) entries.set(entry.id, entry);
    for (const id of gone) entries.delete(id);
    this.#set(entries);
    if (gone.size > 0) await this.#listener?.gone([...gone], entries);
  }

  /** Replaces the unreadable paths of a part of a source. */
  #noteProblems(parts: Changed["parts"]): void {
    const all = new Map(this.#problems);
    for (const { source, part, problems } of parts) {
      const others = (all.get(source.id) ?? []).filter(({ path }) => path !== part && !path.startsWith(`${part}/`));
      all.set(source.id, [...others, ...problems]);
    }
    this.#problems = all;
  }

  /** Reports files to the listener. Returns them with facts from files next to them. */
  async #reported(found: readonly CatalogEntry[]): Promise<readonly CatalogEntry[]> {
    if (found.length === 0) return found;
    const annotated = await withProjects(await this.#indexes.annotate(found));
    const reported = annotated.map((entry) => this.#asBefore(entry));
    await this.#listener?.found(reported);
    return reported;
  }

  async #sessionsOfStores(): Promise<ReadonlyMap<string, readonly StoredSession[]>> {
    await this.lookForDatabases();
    const stored = new Map<string, readonly StoredSession[]>();
    for (const store of this.#stores) {
      const sessions = await this.#at.databases.sessionsOf(store);
      if (sessions !== undefined) stored.set(store.id, sessions);
    }
    return stored;
  }

  #entriesOf(store: FoundStore): CatalogEntry[] {
    return (this.#stored.get(store.id) ?? []).map((session) => storedEntry(store, session));
  }

  /** True for a missing folder that should exist: it was requested, or existed before. */
  #isMissed({ id, kind }: SourceRoot): boolean {
    return kind === "folder" || this.#found.has(id) || this.#problems.has(id);
  }

  /** Returns the known object of an unchanged entry, so that walks over thousands of files do not leave equal copies to collect. */
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
