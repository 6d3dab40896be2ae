import { preparedSelect } from "./bytes-of-texts";
import { type NativeSqlite, nativeSqlite } from "./native-sqlite";
import { DamagedError, type Row, type Statement } from "./statement";

/**
 * Settings of every connection. With a write-ahead log, a process that dies loses only uncommitted writes; without waiting for the disk at every
 * commit, a machine that dies may lose the last commits too, which are read again from the recordings.
 */
const PRAGMAS = [
  "journal_mode = wal",
  "synchronous = normal",
  "cache_size = -8192",
  "temp_store = memory",
  "journal_size_limit = 67108864",
];

/** Codes of errors for a file that is not a database, or no longer a whole one. */
const DAMAGED = /^SQLITE_(?:CORRUPT|NOTADB)/;
/** Messages of errors for a dropped or changed table: our statements name only tables of `tablesOf`. */
const MISSING = /^(?:no such (?:table|column): |table .* has no column named )/;

/** A SQLite file that is open in this thread. All of its methods are synchronous. */
export class SqliteFile {
  readonly #database: SqliteConnection;

  private constructor(database: SqliteConnection) {
    this.#database = database;
  }

  /**
   * Opens the file, or creates a missing one. Without the native library the file must belong to this process. Rejects with `DamagedError`.
   * @param foreign true if another process writes to it: then its settings stay unchanged
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

/** An open SQLite file, in either library. */
export interface SqliteConnection {
  readonly inTransaction: boolean;
  /** Runs a statement whose rows are unused. */
  exec(sql: string): void;
  rows(statement: Statement): readonly Row[];
  close(): void;
}

/** Maximum cached prepared statements. Those of searches differ by their number of words, so their number is unbounded. */
const PREPARED = 200;
/** Time that a statement waits for another writing process, in milliseconds. */
const PATIENCE_MS = 5000;
/** First words of statements whose texts are decoded here. Others return no external text. */
const SELECT = /^\s*(?:select|with)\b/i;

/** Opens a file by the native library, or creates a missing one. */
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

/** Throws `DamagedError` if a text is not valid UTF-8. */
function orInvalidText<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof TypeError) throw new DamagedError("The index is damaged (a text is not valid UTF-8).");
    throw error;
  }
}

/**
 * Opens a file by SQLite compiled to WebAssembly, which runs everywhere. Its lock of a file is a folder next to it, which a process that dies leaves
 * behind: use it only for files of this process.
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
