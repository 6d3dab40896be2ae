import Database from "libsql";
import { DamagedError, type Row, type Statement } from "./statement";

/** How many prepared statements are kept. Those of searches differ by their number of words, so there is no end of them. */
const PREPARED = 200;
/** How long a statement waits for another process that writes, in milliseconds. */
const PATIENCE_MS = 5000;

/**
 * Settings of every connection. With a write-ahead log, a process that dies loses no more than what it had not yet committed; without waiting for the
 * disk at every commit, a machine that dies may lose the last commits too, which are read again from the recordings.
 */
const PRAGMAS = [
  "journal_mode = wal",
  "synchronous = normal",
  "cache_size = -32768",
  "temp_store = memory",
  "journal_size_limit = 67108864",
];

/** Codes of errors that say that the file is not a database, or no longer a whole one. */
const DAMAGED = new Set(["SQLITE_CORRUPT", "SQLITE_NOTADB"]);

/** A file of SQLite that is open in this thread. All of its methods wait until they are done. */
export class SqliteFile {
  readonly #database: InstanceType<typeof Database>;
  readonly #prepared = new Map<string, ReturnType<InstanceType<typeof Database>["prepare"]>>();

  /**
   * Opens the file, and makes it if there is none. Throws `DamagedError`.
   * @param foreign whether another process writes to it: then its settings are left as they are
   */
  constructor(path: string, foreign = false) {
    this.#database = new Database(path, { timeout: PATIENCE_MS });
    orDamaged(() => {
      for (const pragma of foreign ? [] : PRAGMAS) this.#database.exec(`pragma ${pragma}`);
    });
  }

  /** Runs the statements as one transaction and returns the rows of the last one. Throws `DamagedError`. */
  run(statements: readonly Statement[]): readonly Row[] {
    const [only] = statements;
    if (statements.length === 1 && only !== undefined) return orDamaged(() => this.#one(only));
    return orDamaged(() => {
      let rows: readonly Row[] = [];
      this.#database.exec("begin immediate");
      try {
        for (const statement of statements) rows = this.#one(statement);
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
    this.#prepared.clear();
    this.#database.close();
  }

  #one({ sql, parameters }: Statement): readonly Row[] {
    const statement = this.#prepared.get(sql) ?? this.#database.prepare(sql);
    this.#prepared.delete(sql);
    this.#prepared.set(sql, statement);
    const [oldest] = this.#prepared.keys();
    if (this.#prepared.size > PREPARED && oldest !== undefined) this.#prepared.delete(oldest);
    // The values were bound by the query builder: texts, numbers, bytes and null.
    if (statement.reader) return statement.all([...parameters]) as Row[];
    statement.run([...parameters]);
    return [];
  }
}

function orDamaged<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (DAMAGED.has(code)) throw new DamagedError("The index is damaged.");
    throw error;
  }
}
