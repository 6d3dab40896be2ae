import type { NativeSqlite } from "./native-sqlite";
import type { Row, Statement } from "./statement";

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

/** Opens a file by the native library, and makes it if there is none. */
export function nativeConnection(Database: NativeSqlite, path: string): SqliteConnection {
  const database = new Database(path, { timeout: PATIENCE_MS });
  const prepared = new Map<string, ReturnType<typeof database.prepare>>();
  return {
    get inTransaction() {
      return database.inTransaction;
    },
    exec: (sql) => void database.exec(sql),
    rows({ sql, parameters }) {
      const statement = prepared.get(sql) ?? database.prepare(sql);
      prepared.delete(sql);
      prepared.set(sql, statement);
      const [oldest] = prepared.keys();
      if (prepared.size > PREPARED && oldest !== undefined) prepared.delete(oldest);
      // The values were bound by the query builder: texts, numbers, bytes and null.
      if (statement.reader) return statement.all([...parameters]) as Row[];
      statement.run([...parameters]);
      return [];
    },
    close() {
      prepared.clear();
      database.close();
    },
  };
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
