import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool, types } from "pg";
import { IndexDatabase, LaterSchemaError } from "./database";
import { type NativeSqlite, nativeSqlite } from "./native-sqlite";
import { DamagedError, type Executor, type Row, type Statement } from "./statement";
import { ThreadExecutor } from "./thread-executor";

interface IndexPlace {
  /** Folder of the program, with `dist/` below it. */
  readonly root: string;
  readonly dataDir: string;
  /** Address of a PostgreSQL database to use instead of a file of the data folder. */
  readonly address?: string | undefined;
  /** Reopens a damaged index: another process's index, which would be damaged too, is then not copied. */
  readonly afterDamage?: boolean;
}

export interface OpenedIndex {
  readonly database: IndexDatabase;
  /** Notices for the user, one sentence each. */
  readonly notes: readonly string[];
  /** Closes the index, sets it aside if it is damaged, and releases the data folder. */
  close(): Promise<void>;
}

const FILE = "index.sqlite";

const OTHERS =
  "another Context Replay has this data folder; its index is opened read-only, and what is read now is forgotten at the end.";

const NOT_NATIVE =
  "libsql, the optional package that keeps the index, is not installed here; all recordings are read again at every start, and agents' databases are not read.";

/**
 * Opens the index, or creates a missing one. A damaged index is set aside and recreated. If another process holds the data folder, a copy of its
 * index is opened, which is removed with this process. Without a place for an index, it is empty and temporary.
 */
export async function openIndex({ root, dataDir, address, afterDamage = false }: IndexPlace): Promise<OpenedIndex> {
  try {
    return address === undefined ? await openInFolder(root, dataDir, afterDamage) : await openPostgres(address);
  } catch (error) {
    // An address may hold a password, and a message may hold the address.
    const reason = (error instanceof Error && "code" in error && error.code) || "it cannot be used";
    const what = address === undefined ? "the data folder" : "the database of CONTEXT_REPLAY_DATABASE";
    return openCopy(
      root,
      undefined,
      `${what} does not take an index (${reason}); what is read now is forgotten at the end.`,
    );
  }
}

async function openInFolder(root: string, dataDir: string, afterDamage: boolean): Promise<OpenedIndex> {
  const native = await nativeSqlite();
  if (native === undefined) return openCopy(root, undefined, NOT_NATIVE);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, FILE);
  const lock = FolderLock.take(native, join(dataDir, "index.lock"));
  if (lock === undefined) return openCopy(root, afterDamage ? undefined : path, OTHERS);
  try {
    const wasSetAside = afterDamage && !existsSync(/* turbopackIgnore: true */ path);
    onlyForOwner(path);
    const { database, notes } = await openOrRenew(root, path);
    const close = async () => {
      await database.write([noteOfClosing(database, "1")]).catch(() => undefined); // It is then checked at the next start.
      await database.close();
      if (database.isDamaged) setAside(path);
      lock.release();
    };
    return { database, notes: wasSetAside ? [noteOfRenewal("was damaged")] : notes, close };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Creates the file, if it is missing, readable by its owner only; SQLite gives the files next to it the same rights. */
function onlyForOwner(path: string): void {
  closeSync(openSync(path, "a", 0o600));
}

async function openOrRenew(root: string, path: string): Promise<Omit<OpenedIndex, "close">> {
  try {
    return { database: await checked(sharedDatabase(root, path)), notes: [] };
  } catch (error) {
    if (!(error instanceof DamagedError || error instanceof LaterSchemaError)) throw error;
    const reason = error instanceof DamagedError ? "was damaged" : "was made by a later release";
    setAside(path);
    onlyForOwner(path);
    return { database: await checked(sharedDatabase(root, path)), notes: [noteOfRenewal(reason)] };
  }
}

function noteOfRenewal(reason: string): string {
  return `the index ${reason}; it was set aside as ${FILE}.old, and all recordings are read again.`;
}

function fileDatabase(root: string, path: string, foreign = false): IndexDatabase {
  return new IndexDatabase("sqlite", new ThreadExecutor(root, { path, foreign }));
}

/** Added niceness of the writing thread: less than that of threads that read files, whose results would otherwise pile up. */
const WRITER_NICE = 5;

/** A file with a writing and a reading thread; the reader sees the last write and never waits for a write in progress. */
function sharedDatabase(root: string, path: string): IndexDatabase {
  const data = { path, foreign: false };
  return new IndexDatabase(
    "sqlite",
    new ThreadExecutor(root, { ...data, nice: WRITER_NICE }),
    new ThreadExecutor(root, data),
  );
}

/** Updates the tables. A file that was not closed is checked first, since the crash may have damaged it. */
async function checked(database: IndexDatabase): Promise<IndexDatabase> {
  try {
    await database.makeTables();
    const closed = await database.query.selectFrom("meta").select("value").where("key", "=", "closed").execute();
    if (closed[0]?.value === "0") await database.check();
    await database.write([noteOfClosing(database, "0")]);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

function noteOfClosing({ query }: IndexDatabase, value: string) {
  const note = { key: "closed", value };
  return query
    .insertInto("meta")
    .values(note)
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }));
}

/** Moves the files away. An earlier set is overwritten: one is enough for an investigation. */
function setAside(path: string): void {
  for (const ending of ["", "-wal", "-shm"]) {
    rmSync(`${path}.old${ending}`, { force: true });
    if (existsSync(/* turbopackIgnore: true */ `${path}${ending}`))
      renameSync(`${path}${ending}`, `${path}.old${ending}`);
  }
}

/** A copy of an index that another process writes to, or an empty one. It is removed with this process. */
async function openCopy(root: string, path: string | undefined, note: string): Promise<OpenedIndex> {
  const folder = mkdtempSync(join(tmpdir(), "context-replay-index-"));
  const copy = join(folder, FILE);
  const end = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", end);
  if (path !== undefined) {
    const source = fileDatabase(root, path, true);
    // If copying fails, all recordings are read again into an empty index.
    await source.copyTo(copy).catch(() => rmSync(copy, { force: true }));
    await source.close();
  }
  const database = await checked(fileDatabase(root, copy));
  const close = async () => {
    await database.close();
    end();
    process.off("exit", end);
  };
  return { database, notes: [note], close };
}

async function openPostgres(address: string): Promise<OpenedIndex> {
  const database = new IndexDatabase("postgres", new PostgresExecutor(address));
  try {
    await database.makeTables();
  } catch (error) {
    await database.close();
    throw error;
  }
  return { database, notes: [], close: () => database.close() };
}

/**
 * Locks a folder for one process. The lock is SQLite's own file lock: the system releases it when the process ends in any way. Nothing is ever
 * written to the file.
 */
class FolderLock {
  readonly #database: InstanceType<NativeSqlite>;

  private constructor(database: InstanceType<NativeSqlite>) {
    this.#database = database;
  }

  /** The lock, or `undefined` while another process has it. Throws if the folder is not writable. @param path the lock's file */
  static take(Database: NativeSqlite, path: string): FolderLock | undefined {
    const database = new Database(path, { timeout: 0 });
    try {
      database.exec("pragma busy_timeout = 0");
      database.exec("pragma journal_mode = memory");
      database.exec("begin exclusive");
      return new FolderLock(database);
    } catch (error) {
      database.close();
      if (error instanceof Error && "code" in error && error.code === "SQLITE_BUSY") return undefined;
      throw error;
    }
  }

  release(): void {
    this.#database.close();
  }
}

/** Maximum concurrent connections. */
const CONNECTIONS = 6;

/** PostgreSQL's integer types and their sums, which its client returns as texts; all values here are below 2 ** 53. */
const NUMBER_TYPES = [20, 1700];

/** Runs statements on a PostgreSQL server. */
export class PostgresExecutor implements Executor {
  readonly #pool: Pool;

  /** @param address as `postgres://user:password@host:port/database` */
  constructor(address: string) {
    const getTypeParser = ((type: number, format?: "text") =>
      NUMBER_TYPES.includes(type) ? Number : types.getTypeParser(type, format)) as typeof types.getTypeParser; // Binary results are never requested.
    this.#pool = new Pool({ connectionString: address, max: CONNECTIONS, types: { getTypeParser } });
    // A connection that breaks while idle is reopened on next use.
    this.#pool.on("error", () => undefined);
  }

  async run(statements: readonly Statement[]): Promise<readonly Row[]> {
    const [only] = statements;
    if (statements.length === 1 && only !== undefined)
      return (await this.#pool.query(only.sql, [...only.parameters])).rows;
    const client = await this.#pool.connect();
    let rows: readonly Row[] = [];
    let failed: Error | undefined;
    try {
      await client.query("begin");
      for (const { sql, parameters } of statements) rows = (await client.query(sql, [...parameters])).rows;
      await client.query("commit");
      return rows;
    } catch (error) {
      failed = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      // A connection within a failed transaction is not reused.
      client.release(failed);
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}
