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
import { NO_PROBLEMS, toldProblems } from "./source-problems";
import type { SourceRoot } from "./sources";
import type { FoundStore } from "./stores";
import { UploadChanges } from "./upload-changes";
import { realFolder, walkInParts } from "./walk";

/** Takes files as they are found. */
export interface FoundListener {
  /** Called with parts of what a walk finds, uploads included. The walk goes on when the promise resolves. */
  found(entries: readonly CatalogEntry[]): Promise<void>;
  /** Called at the end of a walk, with every file that is there. */
  walked(entries: ReadonlyMap<string, CatalogEntry>): Promise<void>;
  /** Called between two walks with the ids of files that are not there any longer, and with every file that is. */
  gone(ids: readonly string[], entries: ReadonlyMap<string, CatalogEntry>): Promise<void>;
}

/** Where sessions are looked for. */
interface SearchedPlaces {
  readonly sources: readonly SourceRoot[];
  readonly uploads: UploadStore;
  /** Finds what holds sessions but is no folder of files. */
  readonly stores: () => Promise<readonly FoundStore[]>;
  /** Lists the sessions of those of them that can be read. */
  readonly databases: Databases;
  /** Tells what has changed between two walks. */
  readonly watch: FolderWatch | undefined;
}

/** The files that sessions are in, as they were last looked at: by a walk of all folders, or by what has changed since. */
export class FoundFiles {
  readonly #at: SearchedPlaces;
  #entries: ReadonlyMap<string, CatalogEntry> = new Map();
  #revision = 0;
  #isWalked = false;
  #found = new Set<string>();
  #problems: ReadonlyMap<string, readonly SourceProblem[]> = new Map();
  #stores: readonly FoundStore[] = [];
  /** The sessions of those of them that can be read. */
  #stored: ReadonlyMap<string, readonly StoredSession[]> = new Map();
  /** The sources' real paths, as the last walk found them, and the folders that it came to. */
  #real: readonly (string | undefined)[] = [];
  #places: Places = new Map();
  readonly #indexes = new SessionIndexes();
  readonly #uploadChanges = new UploadChanges();
  #listener: FoundListener | undefined;
  #foundFirst: () => void = () => undefined;
  /** Resolves when the first walk has found something. */
  readonly first = new Promise<void>((resolve) => {
    this.#foundFirst = resolve;
  });

  constructor(at: SearchedPlaces) {
    this.#at = at;
  }

  /** Has walks reported; there is one listener. */
  listen(listener: FoundListener): void {
    this.#listener = listener;
  }

  /** The files by their ids. */
  get entries(): ReadonlyMap<string, CatalogEntry> {
    return this.#entries;
  }

  /** Changes exactly when the entries do. */
  get revision(): number {
    return this.#revision;
  }

  /** The sources' real paths as they are now, where they are there. */
  realPaths(): Promise<readonly (string | undefined)[]> {
    return Promise.all(this.#at.sources.map((source) => realFolder(source.path)));
  }

  /** Whether the last walk was of these real paths. */
  isOf(real: readonly (string | undefined)[]): boolean {
    return isDeepStrictEqual(real, this.#real);
  }

  /** The sources' ids, that of uploads included, and those of databases as far as they were looked for. */
  get sourceIds(): string[] {
    return [...this.#at.sources.map(({ id }) => id), UPLOADS, ...this.#stores.map(({ id }) => id)];
  }

  /** Looks which databases there are, without opening any. */
  async lookForDatabases(): Promise<void> {
    this.#stores = await this.#at.stores();
  }

  /** Where sessions are looked for, and what was found there. */
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

  /** A session of a database as it is now, if it is still there. */
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

  /** Takes a removed upload off the list. */
  dropUpload(id: string): void {
    this.#set(this.#uploadChanges.change(this.#entries, partsOf(id).file));
  }

  /** Walks everything. @param real the sources' real paths */
  async walk(real: readonly (string | undefined)[]): Promise<void> {
    const found = new Set(this.#at.sources.filter((_, index) => real[index] !== undefined).map(({ id }) => id));
    const entries = new Map<string, CatalogEntry>();
    const take = async (found: readonly CatalogEntry[]) => {
      for (const entry of await this.#told(found)) entries.set(entry.id, entry);
      // What is found first is listed before the rest is found.
      if (!this.#isWalked) this.#show(entries);
      if (entries.size > 0) this.#foundFirst();
    };
    this.#at.watch?.beginWalk();
    this.#uploadChanges.beginWalk(entries);
    await take((await this.#at.uploads.list()).map(uploadEntry));
    const problems = await this.#walkSources(real, take);
    this.#at.watch?.endWalk();
    // Uploads may have come and gone since the walk began.
    const uploads = (await this.#at.uploads.list()).map(uploadEntry);
    const there = new Set(uploads.map(({ id }) => id));
    for (const { id, kind } of entries.values()) if (kind === "upload" && !there.has(id)) entries.delete(id);
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

  /** Walks the sources one after the other, and returns what cannot be looked at. */
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
      const watch = root !== undefined && (await this.#at.watch?.canTell(root)) ? this.#at.watch : undefined;
      if (root !== undefined && watch === undefined) this.#at.watch?.miss();
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

  /** Looks at what a watch tells of since the last walk. */
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
      const sessions = await this.#at.databases.sessionsOf(store);
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
