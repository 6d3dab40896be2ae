import type { SessionRow } from "@/lib/queries/contract/schemas";
import type { HeadFacts } from "../../read/head";
import type { IndexDatabase, Write } from "../../store/database/database";
import type { CatalogEntry } from "../files/entries";
import { factsWrite, ownWrite, removalWrites, rowsOf, rowWrites, searchWrites } from "./index-rows";
import { Kinship } from "./kinship";
import { KnownFiles, type Standing } from "./known-files";
import type { Learnt } from "./learnt";
import { type OwnMetrics, ownMetrics } from "./own-metrics";
import { ProjectNaming } from "./project-naming";
import { rowOf } from "./session-list";

/** What is to be written of a session. */
interface Change {
  readonly entry: CatalogEntry;
  readonly learnt?: Learnt;
  readonly head?: HeadFacts;
  /** Whether the file was read, and only what its place says has changed. */
  readonly isRead?: boolean;
}

interface IndexOptions {
  /** The sources that are listed; the sessions of others are kept for when they are listed again. */
  readonly sources: readonly string[];
  /** Identifies the code that reads recordings: what other code made is made again. */
  readonly madeBy: string;
  /** Takes a sentence for the person who started the program. */
  readonly say?: (sentence: string) => void;
  /** How long to wait before trying again what could not be written. */
  readonly retryMs?: number;
}

const RETRY_MS = 5000;
/** How many sessions are written in one transaction: what waits to be written is collected only with the whole heap, which holds up whoever asks. */
const BATCH = 40;
/** Of how many the writes are made before the server's thread does something else. */
const AT_ONCE = 10;
/** How long changes that come one by one wait for the next ones, in milliseconds: a transaction takes nearly as long for one session as for ten. */
const GATHER_MS = 100;

/** Keeps what was learnt of sessions, across starts. It is told of files and what they hold, and writes in small batches. */
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
  /** The batch that is being written, whether it can be or not. */
  #attempt: Promise<void> = Promise.resolve();
  #generation = 0;
  /** The sessions of which it may be otherwise than at the last call of `takeTouched` whether they are read; `undefined` for any of all. */
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

  /** The index as it was left. */
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

  /** Changes with everything that a query could answer. */
  get generation(): number {
    return this.#generation;
  }

  /** How many files are known, those included that are gone. */
  get size(): number {
    return this.#files.size;
  }

  /** Whether what is kept of a session is of this version of its file. */
  isRead(entry: CatalogEntry): boolean {
    return this.#files.isRead(entry) && !this.#changes.has(entry.id);
  }

  /** The sessions of which it may be otherwise than at the last call whether they are read; `undefined` for any of all. */
  takeTouched(): ReadonlySet<string> | undefined {
    const touched = this.#touched;
    this.#touched = new Set();
    return touched;
  }

  /** Whether relations are still to be found. */
  get isRelating(): boolean {
    return this.#kinship.isBehind;
  }

  /** Whether what was learnt last could not be written. */
  get isUnwritten(): boolean {
    return this.#hasFailed;
  }

  /** Lists files. Those that are new, or that have changed since they were listed, get rows. Resolves when these are written, or cannot be for now. */
  async found(entries: readonly CatalogEntry[]): Promise<void> {
    const changed = entries.filter((entry) => !this.#files.isListed(entry));
    for (const entry of changed) this.#change({ entry, isRead: this.isRead(entry) });
    if (changed.length > 0) await this.settled();
  }

  /** Adds what the beginning of a file says that was not read yet. */
  addHead(entry: CatalogEntry, head: HeadFacts): void {
    this.#change({ entry, head });
  }

  /** Keeps what was learnt of a session. */
  learn(entry: CatalogEntry, learnt: Learnt): void {
    this.#change({ entry, learnt });
  }

  /** Marks the files of these sources as gone that are not among those that are there. */
  async keepOnly(sources: readonly string[], there: ReadonlyMap<string, unknown>): Promise<void> {
    const { query } = this.#database;
    const listed = await query
      .selectFrom("files")
      .select("id")
      .where("gone_at", "is", null)
      .where("source", "in", sources)
      .execute();
    await this.gone(listed.map(({ id }) => id).filter((id) => !there.has(id)));
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

  /** Has every file count as unread; what is known of them is shown until they are read again. */
  async readAgain(): Promise<void> {
    await this.settled();
    await this.#database.write([this.#files.forgetReadings()]);
    this.#touched = undefined;
    this.#generation += 1;
  }

  /** Forgets a session whose file was removed by its user. */
  async forget(id: string): Promise<void> {
    await this.settled();
    this.#changes.delete(id);
    this.#files.forget(id);
    this.#touched?.add(id);
    // Relations that are being written would bring its row back.
    await this.#database.inTurn(async () =>
      this.#database.write([...(await this.#kinship.parted([id])), ...removalWrites(this.#database, id)]),
    );
    this.#kinship.remove(id);
    this.#generation += 1;
  }

  /** The project that an agent's folder stands for, as far as sessions tell. */
  projectOf = (agent: string | null, folder: string): string | undefined => this.#projects.of(agent, folder);

  /** The row of a session as it is listed. */
  async row(id: string): Promise<SessionRow | undefined> {
    return (await rowsOf(this.#database, [id])).get(id);
  }

  /** What all sessions are known to hold of each other: see `Kinship`. */
  get kinship(): Kinship {
    return this.#kinship;
  }

  /** Resolves when everything that was told so far is written, or cannot be for now. */
  async settled(): Promise<void> {
    while (this.#writing !== undefined && !this.#hasFailed) {
      this.#hurry();
      await Promise.race([this.#writing, this.#attempt]);
    }
  }

  /** Writes no more; what was not written is learnt again at the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#hurry();
    await this.#kinship.close();
    if (!this.#hasFailed) await this.#writing;
  }

  #change(change: Change): void {
    if (this.#isClosed) return;
    const { id } = change.entry;
    // What was learnt holds more than what is only listed, unless it is of another version.
    this.#touched?.add(id);
    const waiting = this.#changes.get(id);
    this.#changes.set(id, { ...(change.learnt === undefined ? {} : waiting), ...change });
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  async #write(): Promise<void> {
    // What comes in the same moment is written together.
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

  /** Resolves at once if nothing was written just now, else when more may have come or somebody waits. */
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

  /** A full disk or a server that is away may be back later; until then the list is as it was. */
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
      writes.push(this.#files.write(standingOf(change)), ...rowWrites(this.#database, change.entry, row));
      const facts = change.learnt?.facts;
      if (facts !== undefined) writes.push(factsWrite(this.#database, row, facts));
      if (change.learnt !== undefined) writes.push(ownWrite(this.#database, row, own));
      if (facts !== undefined || !before.has(row.id)) {
        texts.push(...searchWrites(this.#database, row, facts?.text ?? ""));
      }
      const { summary, requestKeys: keys } = change.learnt ?? {};
      if (summary != null && keys !== undefined) {
        const { placed } = change.entry;
        const input = { id: row.id, summary, placed, keys, title: row.title ?? row.name };
        writes.push(await this.#kinship.add(input, row, facts?.figures ?? NO_ROWS));
      }
    }
    await this.#database.write([...writes, ...texts]);
    await this.#projects.learn(rows);
    for (const change of batch) this.#written(change);
  }

  #rowOf(
    { entry, learnt, head, isRead = false }: Change,
    before: SessionRow | undefined,
    own: OwnMetrics | undefined,
  ): SessionRow {
    const { related = [], repeatedRequests = 0 } = before ?? {};
    const bill = learnt === undefined ? before?.bill : own?.bill;
    const kin = { related, repeatedRequests, bill: bill ?? null };
    const version = learnt?.version === undefined ? entry : { ...entry, version: learnt.version };
    // Until a file that has changed is read again, what it was is shown.
    const known = learnt ?? (before === undefined ? undefined : asBefore(before, isRead));
    return rowOf(version, { head, kin, indexed: known, projectOf: this.projectOf });
  }

  /** Takes note of what was written, unless there is something newer to be written. */
  #written(change: Change): void {
    if (this.#changes.get(change.entry.id) === change) this.#changes.delete(change.entry.id);
    this.#files.written(standingOf(change));
    this.#touched?.add(change.entry.id);
  }
}

const NO_ROWS = new Float64Array(0);

/** What a session that was just read counts, as far as is known before its relations are found: its first requests were others' before. */
function ownBefore({ entry, learnt }: Change, before: SessionRow | undefined): OwnMetrics | undefined {
  const { summary, facts, requestKeys: keys } = learnt ?? {};
  if (summary == null || facts === undefined || keys === undefined) return undefined;
  const { classes, models } = keys;
  const parents = summary.links.parents.map(({ session }) => session);
  const startedAt = Date.parse(summary.startedAt ?? "") || entry.version.mtimeMs;
  const repeated = Array.from({ length: Math.min(keys.exact.length, before?.repeatedRequests ?? 0) }, (_, row) => row);
  const rows = repeated.length > 0 ? repeated : [];
  const own = ownMetrics({ classes, models, figures: facts.figures, startedAt, parents }, rows, []);
  if (own.requests > 0 || rows.length > 0)
    return {
      ...own,
      refetched: own.refetched ?? facts.needed?.count ?? null,
      refetchedTokens: own.refetchedTokens ?? facts.needed?.tokens ?? null,
    };
  // Without recorded usage there is nothing that another session could count.
  return { ...own, compactions: summary.compactions.length };
}

/** The changes by the sessions' numbers, the new ones, whose numbers will be higher, last: see `searchWrites`. */
function inOrder(batch: readonly Change[], before: ReadonlyMap<string, SessionRow>): readonly Change[] {
  const places = new Map([...before.keys()].map((id, place) => [id, place]));
  const placeOf = ({ entry }: Change) => places.get(entry.id) ?? places.size;
  return [...batch].sort((a, b) => placeOf(a) - placeOf(b));
}

function standingOf({ entry, learnt, isRead = false }: Change): Standing {
  return { entry, version: learnt?.version, isRead: learnt !== undefined || isRead };
}

/** What an earlier row says of the recording. @param isRead whether the file is the same: then its error is too */
function asBefore(
  { summary, sparkline, error, errorCode, errorProgram }: SessionRow,
  isRead: boolean,
): Learnt | undefined {
  if (!isRead) return summary === null ? undefined : { summary, sparkline, error: null };
  return {
    summary,
    sparkline,
    error,
    ...(errorCode !== null && { errorCode }),
    ...(errorProgram !== undefined && { errorProgram }),
  };
}
