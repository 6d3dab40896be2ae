import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import getPort from "get-port";
import { PostgresExecutor } from "../store/database/open";

const KEPT = join("node_modules", ".cache", "context-replay-tests");

/** A PostgreSQL server in a temporary folder. */
export interface Postgres {
  /** Makes an empty database and returns its address. */
  newDatabase(): Promise<string>;
  stop(): void;
}

export async function startPostgres(): Promise<Postgres> {
  const folder = mkdtempSync("/tmp/context-replay-postgres-");
  const data = join(folder, "data");
  const port = await getPort({ host: "127.0.0.1" });
  // PostgreSQL refuses to run as root.
  if (process.getuid?.() === 0) command("chown", ["postgres", folder]);
  chmodSync(folder, 0o700);
  makeEmpty(data);
  const options = `-p ${port} -h 127.0.0.1 -k ${folder} -c fsync=off`;
  asOwner("pg_ctl", ["-D", data, "-o", options, "-l", join(folder, "log"), "-w", "start"]);
  let databases = 0;
  return {
    async newDatabase() {
      const name = `test_${++databases}`;
      const admin = new PostgresExecutor(`postgres://tester@127.0.0.1:${port}/postgres`);
      await admin.run([{ sql: `create database ${name}`, parameters: [] }]);
      await admin.close();
      return `postgres://tester@127.0.0.1:${port}/${name}`;
    },
    stop() {
      asOwner("pg_ctl", ["-D", data, "-m", "immediate", "-w", "stop"]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Makes the data of a server without databases. They are stored next to the tests' builds, since a copy takes a tenth of the time of making them. */
function makeEmpty(data: string): void {
  const { stdout } = spawnSync("initdb", ["--version"], { encoding: "utf8" });
  const kept = join(process.cwd(), KEPT, `postgres-${stdout.trim().replaceAll(/\W+/g, "-")}`);
  if (existsSync(kept)) {
    command("cp", ["-a", kept, data]);
    return;
  }
  asOwner("initdb", ["-D", data, "-U", "tester", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"]);
  const copy = `${kept}-${process.pid}`;
  mkdirSync(dirname(copy), { recursive: true });
  command("cp", ["-a", data, copy]);
  try {
    renameSync(copy, kept);
  } catch {
    rmSync(copy, { recursive: true, force: true }); // another process was quicker
  }
}

/** True if PostgreSQL's programs are installed. */
export function hasPostgres(): boolean {
  return ["initdb", "pg_ctl"].every((name) => spawnSync(name, ["--version"]).status === 0);
}

function asOwner(name: string, args: readonly string[]): void {
  if (process.getuid?.() !== 0) command(name, args);
  else command("setpriv", ["--reuid=postgres", "--regid=postgres", "--clear-groups", name, ...args]);
}

function command(name: string, args: readonly string[]): void {
  // A server that continues in the background would keep a pipe open.
  const { status } = spawnSync(name, args, { cwd: "/tmp", stdio: "ignore" });
  if (status !== 0) throw new Error(`${name} ended with ${status}`);
}
