import { nativeSqlite } from "./native-sqlite";
import { nativeConnection, type SqliteConnection, wasmConnection } from "./sqlite-connection";
import { DamagedError, type Row, type Statement } from "./statement";

/**
 * Settings of every connection. With a write-ahead log, a process that dies loses no more than what it had not yet committed; without waiting for the
 * disk at every commit, a machine that dies may lose the last commits too, which are read again from the recordings.
 */
const PRAGMAS = [
  "journal_mode = wal",
  "synchronous = normal",
  "cache_size = -8192",
  "temp_store = memory",
  "journal_size_limit = 67108864",
];

/** Codes of errors that say that the file is not a database, or no longer a whole one. */
const DAMAGED = /^SQLITE_(?:CORRUPT|NOTADB)/;
/** Messages of errors that say that a table was dropped or changed: our statements name only what the migrations made. */
const MISSING = /^(?:no such (?:table|column): |table .* has no column named )/;

/** A file of SQLite that is open in this thread. All of its methods wait until they are done. */
export class SqliteFile {
  readonly #database: SqliteConnection;

  private constructor(database: SqliteConnection) {
    this.#database = database;
  }

  /**
   * Opens the file, and makes it if there is none. Without the native library the file has to be this process's own. Rejects with `DamagedError`.
   * @param foreign whether another process writes to it: then its settings are left as they are
   */
  static async open(path: string, foreign = false): Promise<SqliteFile> {
    const native = await nativeSqlite();
    const database = native === undefined ? await wasmConnection(path) : nativeConnection(native, path);
    orDamaged(() => {
      for (const pragma of foreign ? [] : PRAGMAS) database.exec(`pragma ${pragma}`);
    });
    return new SqliteFile(database);
  }

  /** Runs the statements as one transaction and returns the rows of the last one. Throws `DamagedError`. */
  run(statements: readonly Statement[]): readonly Row[] {
    const [only] = statements;
    if (statements.length === 1 && only !== undefined) return orDamaged(() => this.#database.rows(only));
    return orDamaged(() => {
      let rows: readonly Row[] = [];
      this.#database.exec("begin immediate");
      try {
        for (const statement of statements) rows = this.#database.rows(statement);
        this.#database.exec("commit");
      } catch (error) {
        // A damaged file or a full disk may have ended the transaction already.
        if (this.#database.inTransaction) this.#database.exec("rollback");
        throw error;
      }
      return rows;
    });
  }

  close(): void {
    this.#database.close();
  }
}

function orDamaged<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (DAMAGED.test(code)) throw new DamagedError("The index is damaged.");
    if (error instanceof Error && MISSING.test(error.message))
      throw new DamagedError(`The index is damaged (${error.message}).`);
    throw error;
  }
}
