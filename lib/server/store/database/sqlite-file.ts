import { preparedSelect } from "./bytes-of-texts";
import { type NativeSqlite, nativeSqlite } from "./native-sqlite";
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
/** Messages of errors that say that a table was dropped or changed: our statements name only what `tablesOf` made. */
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

/** An open file of SQLite, whichever library has opened it. */
export interface SqliteConnection {
  readonly inTransaction: boolean;
  /** Runs a statement of which no rows are wanted. */
  exec(sql: string): void;
  rows(statement: Statement): readonly Row[];
  close(): void;
}

/** How many prepared statements are kept. Those of searches differ by their number of words, so there is no end of them. */
const PREPARED = 200;
/** How long a statement waits for another process that writes, in milliseconds. */
const PATIENCE_MS = 5000;
/** Begins statements whose texts are decoded here. Others return no text that came from outside. */
const SELECT = /^\s*(?:select|with)\b/i;

/** Opens a file by the native library, and makes it if there is none. */
export function nativeConnection(Database: NativeSqlite, path: string): SqliteConnection {
  const database = new Database(path, { timeout: PATIENCE_MS });
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const prepared = new Map<string, (values: readonly unknown[]) => readonly Row[]>();
  const prepare = (sql: string) => {
    if (SELECT.test(sql)) {
      const select = preparedSelect(database, sql, decoder);
      return (values: readonly unknown[]) => orInvalidText(() => select.all(values));
    }
    const statement = database.prepare(sql);
    if (statement.reader) return (values: readonly unknown[]) => statement.all([...values]) as Row[];
    return (values: readonly unknown[]) => {
      statement.run([...values]);
      return [];
    };
  };
  return {
    get inTransaction() {
      return database.inTransaction;
    },
    exec: (sql) => void database.exec(sql),
    rows({ sql, parameters }) {
      const statement = prepared.get(sql) ?? prepare(sql);
      prepared.delete(sql);
      prepared.set(sql, statement);
      const [oldest] = prepared.keys();
      if (prepared.size > PREPARED && oldest !== undefined) prepared.delete(oldest);
      // The values were bound by the query builder: texts, numbers, bytes and null.
      return statement(parameters);
    },
    close() {
      prepared.clear();
      database.close();
    },
  };
}

/** Throws `DamagedError` where a text is not valid UTF-8. */
function orInvalidText<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof TypeError) throw new DamagedError("The index is damaged (a text is not valid UTF-8).");
    throw error;
  }
}

/**
 * Opens a file by SQLite compiled to WebAssembly, which runs everywhere. Its lock of a file is a folder beside it, which a process that dies leaves behind: it is for
 * files of this process alone.
 */
export async function wasmConnection(path: string): Promise<SqliteConnection> {
  const { default: wasm } = await import("node-sqlite3-wasm");
  const database = new wasm.Database(path);
  return {
    get inTransaction() {
      return database.inTransaction;
    },
    exec: (sql) => database.exec(sql),
    // The values were bound by the query builder: texts, numbers, bytes and null.
    rows: ({ sql, parameters }) => database.all(sql, [...parameters] as Parameters<typeof database.all>[1]) as Row[],
    close: () => database.close(),
  };
}
