import type { SessionRow } from "@/lib/queries/contract/schemas";
import type { HeadFacts } from "../../read/head";
import type { IndexDatabase, Write } from "../../store/database/database";
import type { CatalogEntry } from "../files/entries";
import { placedBy } from "../files/sources";
import { factsWrite, ownWrite, removalWrites, rowsOf, rowWrites, searchWrites } from "./index-rows";
import { Kinship } from "./kinship";
import { type FileState, KnownFiles } from "./known-files";
import { type OwnMetrics, ownMetrics } from "./own-metrics";
import { ProjectNaming } from "./project-naming";
import type { ReadResult } from "./read-result";
import { rowOf } from "./session-list";

/** Pending writes of a session. */
interface Change {
  readonly entry: CatalogEntry;
  readonly readResult?: ReadResult;
  readonly head?: HeadFacts;
  /** True if the file was read, and only facts from its path have changed. */
  readonly isRead?: boolean;
}

interface IndexOptions {
  /** The listed sources; sessions of other sources are kept for a later listing. */
  readonly sources: readonly string[];
  /** Identifies the code that reads recordings: results of other code are recomputed. */
  readonly madeBy: string;
  /** Prints a sentence on the server's console. */
  readonly say?: (sentence: string) => void;
  /** Delay before a failed write is retried. */
  readonly retryMs?: number;
}

const RETRY_MS = 5000;
/** Sessions per transaction: pending writes are garbage for a full collection, which delays all answers. */
const BATCH = 40;
/** Writes that are built before the server's thread yields. */
const AT_ONCE = 10;
/** Time that single changes wait for further ones, in milliseconds: a transaction takes nearly as long for one session as for ten. */
const GATHER_MS = 100;

/** Stores facts of sessions across starts. Receives files and their contents, and writes in small batches. */
export class SessionIndex {
  readonly #database: IndexDatabase;
  readonly #say: (sentence: string) => void;
  #isClosed = false;
  readonly #retryMs: number;
  #hasFailed = false;
  readonly #files: KnownFiles;
  readonly #projects: ProjectNaming;
  readonly #kinship: Kinship;
  readonly #changes = new Map<string, Change>();
  #writing: Promise<void> | undefined;
  /** The batch in progress, even if it cannot be written. */
  #attempt: Promise<void> = Promise.resolve();
  #generation = 0;
  /** Sessions whose read state may have changed since the last `takeTouched`; `undefined` if that of any session may have. */
  #touched: Set<string> | undefined;
  #writtenAt = Number.NEGATIVE_INFINITY;
  /** Ends the wait for more changes. */
  #hurry: () => void = () => undefined;

  private constructor(
    database: IndexDatabase,
    { sources, madeBy, say = () => undefined, retryMs = RETRY_MS }: IndexOptions,
  ) {
    this.#database = database;
    this.#say = say;
    this.#retryMs = retryMs;
    this.#files = new KnownFiles(database, madeBy);
    this.#projects = new ProjectNaming(database);
    this.#kinship = new Kinship(database, sources, () => {
      this.#generation += 1;
    });
  }

  /** The stored index. */
  static async load(database: IndexDatabase, options: IndexOptions): Promise<SessionIndex> {
    const index = new SessionIndex(database, options);
    await index.#files.load();
    await index.#projects.load();
    await index.#kinship.resume();
    return index;
  }

  get database(): IndexDatabase {
    return this.#database;
  }

  /** Changes with every possible query result. */
  get generation(): number {
    return this.#generation;
  }

  /** Number of known files, including vanished ones. */
  get size(): number {
    return this.#files.size;
  }

  /** True if the stored facts of a session are of this version of its file. */
  isRead(entry: CatalogEntry): boolean {
    return this.#files.isRead(entry) && !this.#changes.has(entry.id);
  }

  /** Sessions whose read state may have changed since the last call; `undefined` if that of any session may have. */
  takeTouched(): ReadonlySet<string> | undefined {
    const touched = this.#touched;
    this.#touched = new Set();
    return touched;
  }

  /** True if relations are still to be found. */
  get isRelating(): boolean {
    return this.#kinship.isBehind;
  }

  /** True if the last facts could not be written. */
  get isUnwritten(): boolean {
    return this.#hasFailed;
  }

  /** Lists files. New and changed ones get rows. Resolves when the rows are written, or cannot be written for now. */
  async found(entries: readonly CatalogEntry[]): Promise<void> {
    const changed = entries.filter((entry) => !this.#files.isListed(entry));
    for (const entry of changed) this.#change({ entry, isRead: this.isRead(entry) });
    if (changed.length > 0) await this.settled();
  }

  /** Adds facts from the beginning of an unread file. */
  addHead(entry: CatalogEntry, head: HeadFacts): void {
    this.#change({ entry, head });
  }

  /** Keeps the facts of a session. */
  addResult(entry: CatalogEntry, readResult: ReadResult): void {
    this.#change({ entry, readResult });
  }

  /** Marks missing files of these sources as gone. */
  async keepOnly(sources: readonly string[], existing: ReadonlyMap<string, unknown>): Promise<void> {
    const { query } = this.#database;
    const listed = await query
      .selectFrom("files")
      .select("id")
      .where("gone_at", "is", null)
      .where("source", "in", sources)
      .execute();
    await this.gone(listed.map(({ id }) => id).filter((id) => !existing.has(id)));
  }

  /** Marks files as gone. */
  async gone(all: readonly string[]): Promise<void> {
    const { query } = this.#database;
    const gone = all.filter((id) => !this.#changes.has(id));
    for (let at = 0; at < gone.length; at += BATCH) {
      const ids = gone.slice(at, at + BATCH);
      await this.#database.write([
        ...(await this.#kinship.parted(ids)),
        query.updateTable("files").set({ gone_at: Date.now() }).where("id", "in", ids),
        query.updateTable("sessions").set({ gone: 1 }).where("id", "in", ids),
      ]);
      for (const id of ids) {
        this.#files.markGone(id);
        this.#kinship.remove(id);
      }
    }
    if (gone.length > 0) this.#generation += 1;
  }

  /** Counts every file as unread; their facts are shown until they are read again. */
  async readAgain(): Promise<void> {
    await this.settled();
    await this.#database.write([this.#files.forgetReadings()]);
    this.#touched = undefined;
    this.#generation += 1;
  }

  /** Removes a session whose file the user removed. */
  async forget(id: string): Promise<void> {
    await this.settled();
    this.#changes.delete(id);
    this.#files.forget(id);
    this.#touched?.add(id);
    // A concurrent write of relations would restore its row.
    await this.#database.inTurn(async () =>
      this.#database.write([...(await this.#kinship.parted([id])), ...removalWrites(this.#database, id)]),
    );
    this.#kinship.remove(id);
    this.#generation += 1;
  }

  /** The project of an agent's folder, as far as sessions name it. */
  projectOf = (agent: string | null, folder: string): string | undefined => this.#projects.of(agent, folder);

  async row(id: string): Promise<SessionRow | undefined> {
    return (await rowsOf(this.#database, [id])).get(id);
  }

  /** Relations of all sessions: see `Kinship`. */
  get kinship(): Kinship {
    return this.#kinship;
  }

  /** Resolves when all pending facts are written, or cannot be for now. */
  async settled(): Promise<void> {
    while (this.#writing !== undefined && !this.#hasFailed) {
      this.#hurry();
      await Promise.race([this.#writing, this.#attempt]);
    }
  }

  /** Stops writing; unwritten facts are read again at the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#hurry();
    await this.#kinship.close();
    if (!this.#hasFailed) await this.#writing;
  }

  #change(change: Change): void {
    if (this.#isClosed) return;
    const { id } = change.entry;
    this.#touched?.add(id);
    // Facts of a read file replace those of a listing, unless they are of another version.
    const waiting = this.#changes.get(id);
    this.#changes.set(id, { ...(change.readResult === undefined ? {} : waiting), ...change });
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  async #write(): Promise<void> {
    // Changes of the same moment are written together.
    await Promise.resolve();
    while (this.#changes.size > 0 && !this.#isClosed) {
      if (this.#changes.size < BATCH) await this.#gathered();
      const batch = this.#nextBatch();
      this.#attempt = this.#database
        .inTurn(() => this.#writeBatch(batch))
        .then(
          () => {
            this.#hasFailed = false;
          },
          (error: unknown) => this.#failed(error),
        );
      await this.#attempt;
      this.#writtenAt = performance.now();
      this.#generation += 1;
      if (this.#hasFailed) await new Promise((resolve) => setTimeout(resolve, this.#retryMs).unref());
    }
  }

  /** Resolves at once if the last write was a while ago, else after a wait for more changes, or as soon as a caller waits. */
  async #gathered(): Promise<void> {
    const wait = this.#writtenAt + GATHER_MS - performance.now();
    if (wait <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, wait);
      this.#hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #nextBatch(): Change[] {
    const batch: Change[] = [];
    for (const change of this.#changes.values()) {
      if (batch.length === BATCH) break;
      batch.push(change);
    }
    return batch;
  }

  /** The write may succeed later, when the disk has space or the server is back; until then the list stays unchanged. */
  #failed(error: unknown): void {
    if (this.#isClosed) return;
    const reason = error instanceof Error ? error.message : String(error);
    if (!this.#hasFailed) this.#say(`the index cannot be written (${reason}); it is tried again every few seconds.`);
    this.#hasFailed = true;
  }

  async #writeBatch(batch: readonly Change[]): Promise<void> {
    const before = await rowsOf(
      this.#database,
      batch.filter(({ entry }) => this.#files.has(entry.id)).map(({ entry }) => entry.id),
    );
    const writes: Write[] = [];
    const texts: Write[] = [];
    const rows: SessionRow[] = [];
    for (const [at, change] of inOrder(batch, before).entries()) {
      if (at % AT_ONCE === AT_ONCE - 1) await new Promise(setImmediate);
      const known = before.get(change.entry.id);
      const own = ownBefore(change, known);
      const row = this.#rowOf(change, known, own);
      rows.push(row);
      writes.push(this.#files.write(fileStateOf(change)), ...rowWrites(this.#database, change.entry, row));
      const facts = change.readResult?.facts;
      if (facts !== undefined) writes.push(factsWrite(this.#database, row, facts));
      if (change.readResult !== undefined) writes.push(ownWrite(this.#database, row, own));
      if (facts !== undefined || !before.has(row.id)) {
        texts.push(...searchWrites(this.#database, row, facts?.text ?? ""));
      }
      const { summary, requestKeys: keys } = change.readResult ?? {};
      if (summary != null && keys !== undefined) {
        const { path, kind, placed: known } = change.entry;
        // A user's folder may hold files of any agent: only the content shows which agent's rules the path follows.
        const placed = kind === "folder" ? { ...placedBy(path, summary.agent), ...known } : known;
        const placedKeys = { ...keys, places: facts?.places };
        const input = { id: row.id, summary, placed, keys: placedKeys, title: row.title ?? row.name };
        writes.push(await this.#kinship.add(input, row, facts?.metrics ?? NO_ROWS));
      }
    }
    await this.#database.write([...writes, ...texts]);
    await this.#projects.addRows(rows);
    for (const change of batch) this.#written(change);
  }

  #rowOf(
    { entry, readResult, head, isRead = false }: Change,
    before: SessionRow | undefined,
    own: OwnMetrics | undefined,
  ): SessionRow {
    const { related = [], repeatedRequests = 0 } = before ?? {};
    const bill = readResult === undefined ? before?.bill : own?.bill;
    const kin = { related, repeatedRequests, bill: bill ?? null };
    const version = readResult?.version === undefined ? entry : { ...entry, version: readResult.version };
    // A changed file shows its old facts until it is read again.
    const known = readResult ?? (before === undefined ? undefined : asBefore(before, isRead));
    return rowOf(version, { head, kin, indexed: known, projectOf: this.projectOf });
  }

  /** Records finished writes, unless newer ones are pending. */
  #written(change: Change): void {
    if (this.#changes.get(change.entry.id) === change) this.#changes.delete(change.entry.id);
    this.#files.written(fileStateOf(change));
    this.#touched?.add(change.entry.id);
  }
}

const NO_ROWS = new Float64Array(0);

/** A read session's counted requests before its relations are found: as before, other sessions count its first ones. */
function ownBefore({ readResult }: Change, before: SessionRow | undefined): OwnMetrics | undefined {
  const { summary, facts, requestKeys: keys } = readResult ?? {};
  if (summary == null || facts === undefined || keys === undefined) return undefined;
  const { classes, models } = keys;
  const parents = summary.links.parents.map(({ session }) => session);
  const startedAt = Date.parse(summary.startedAt ?? "");
  const repeated = Array.from({ length: Math.min(keys.exact.length, before?.repeatedRequests ?? 0) }, (_, row) => row);
  const rows = repeated.length > 0 ? repeated : [];
  const { metrics, places } = facts;
  const own = ownMetrics({ classes, models, places, metrics, startedAt, parents }, rows, []);
  // Other sessions made and count all of its requests, and so its compactions and re-fetches.
  if (own.requests === 0 && own.bill.inherited !== null) return own;
  if (own.requests > 0)
    return {
      ...own,
      refetched: own.refetched ?? facts.needed?.count ?? null,
      refetchedTokens: own.refetchedTokens ?? facts.needed?.tokens ?? null,
    };
  // Without recorded usage, other sessions have nothing to count.
  return { ...own, compactions: summary.compactions.length };
}

/** Changes in the order of the sessions' numbers, new ones with higher numbers last: see `searchWrites`. */
function inOrder(batch: readonly Change[], before: ReadonlyMap<string, SessionRow>): readonly Change[] {
  const places = new Map([...before.keys()].map((id, place) => [id, place]));
  const placeOf = ({ entry }: Change) => places.get(entry.id) ?? places.size;
  return [...batch].sort((a, b) => placeOf(a) - placeOf(b));
}

function fileStateOf({ entry, readResult, isRead = false }: Change): FileState {
  return { entry, version: readResult?.version, isRead: readResult !== undefined || isRead };
}

/** An earlier row's facts of the recording. @param isRead true if the file is unchanged: then its error applies too */
function asBefore(
  { summary, sparkline, error, errorCode, errorProgram }: SessionRow,
  isRead: boolean,
): ReadResult | undefined {
  if (!isRead) return summary === null ? undefined : { summary, sparkline, error: null };
  return {
    summary,
    sparkline,
    error,
    ...(errorCode !== null && { errorCode }),
    ...(errorProgram !== undefined && { errorProgram }),
  };
}
