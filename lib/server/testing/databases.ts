import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import getPort from "get-port";
import { afterAll, beforeAll } from "vitest";
import { IndexDatabase } from "../database/database";
import { PostgresExecutor } from "../database/postgres-executor";
import { SqliteFile } from "../database/sqlite-file";
import type { Executor, SqlDialect } from "../database/statement";

/** The dialects whose databases can be started here; PostgreSQL only where its programs are installed. */
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
    await database.migrate();
    made.push(database);
    return database;
  };
}

/** A PostgreSQL server of its own, in a temporary folder. */
export function postgresServer(): { newDatabase(): Promise<string> } {
  const folder = mkdtempSync("/tmp/context-replay-postgres-");
  const data = join(folder, "data");
  let port = 0;
  let databases = 0;
  beforeAll(async () => {
    port = await getPort({ host: "127.0.0.1" });
    // PostgreSQL refuses to run as root.
    if (process.getuid?.() === 0) command("chown", ["postgres", folder]);
    chmodSync(folder, 0o700);
    asOwner("initdb", ["-D", data, "-U", "tester", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"]);
    const options = `-p ${port} -h 127.0.0.1 -k ${folder} -c fsync=off`;
    asOwner("pg_ctl", ["-D", data, "-o", options, "-l", join(folder, "log"), "-w", "start"]);
  }, 60_000);
  afterAll(() => {
    asOwner("pg_ctl", ["-D", data, "-m", "immediate", "-w", "stop"]);
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);
  return {
    async newDatabase() {
      const name = `test_${++databases}`;
      const admin = new PostgresExecutor(`postgres://tester@127.0.0.1:${port}/postgres`);
      await admin.run([{ sql: `create database ${name}`, parameters: [] }]);
      await admin.close();
      return `postgres://tester@127.0.0.1:${port}/${name}`;
    },
  };
}

function hasPostgres(): boolean {
  return ["initdb", "pg_ctl"].every((name) => spawnSync(name, ["--version"]).status === 0);
}

function asOwner(name: string, args: readonly string[]): void {
  if (process.getuid?.() !== 0) command(name, args);
  else command("setpriv", ["--reuid=postgres", "--regid=postgres", "--clear-groups", name, ...args]);
}

function command(name: string, args: readonly string[]): void {
  // A server that goes on in the background would keep a pipe open.
  const { status } = spawnSync(name, args, { cwd: "/tmp", stdio: "ignore" });
  if (status !== 0) throw new Error(`${name} ended with ${status}`);
}
