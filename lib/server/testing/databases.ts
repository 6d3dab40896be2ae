import { afterAll, beforeAll } from "vitest";
import { IndexDatabase } from "../store/database/database";
import { PostgresExecutor } from "../store/database/open";
import { SqliteFile } from "../store/database/sqlite-file";
import type { Executor, SqlDialect } from "../store/database/statement";
import { hasPostgres, type Postgres, startPostgres } from "./postgres";

/** The dialects whose databases can be started here; PostgreSQL only if its programs are installed. */
export const DIALECTS_HERE: readonly SqlDialect[] = hasPostgres() ? ["sqlite", "postgres"] : ["sqlite"];

if (!hasPostgres())
  process.stderr.write("without initdb and pg_ctl on the path, queries are not tried on PostgreSQL\n");

/** An SQLite database in memory, in this thread. */
export function localExecutor(path = ":memory:"): Executor {
  const opening = SqliteFile.open(path);
  return {
    run: async (statements) => (await opening).run(statements),
    close: async () => (await opening).close(),
  };
}

/** A function that makes empty databases of a dialect. PostgreSQL is started before the tests of the file and ends after them. */
export function emptyDatabases(dialect: SqlDialect): () => Promise<IndexDatabase> {
  const made: IndexDatabase[] = [];
  const server = dialect === "postgres" ? postgresServer() : undefined;
  afterAll(async () => {
    for (const database of made) await database.close();
  });
  return async () => {
    const executor = server === undefined ? localExecutor() : new PostgresExecutor(await server.newDatabase());
    const database = new IndexDatabase(dialect, executor);
    await database.makeTables();
    made.push(database);
    return database;
  };
}

/** A PostgreSQL server of its own, which is started before the tests of the file and ends after them. */
export function postgresServer(): { newDatabase(): Promise<string> } {
  let server: Postgres | undefined;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server?.stop(), 60_000);
  return {
    async newDatabase() {
      if (server === undefined) throw new Error("PostgreSQL was not started");
      return server.newDatabase();
    },
  };
}
