import { basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { FormatId } from "@/lib/agents/agents";
import { signatureOfContent } from "@/lib/agents/known-signatures";
import { SERVER_PROFILES } from "@/lib/agents/registry";
import type { Query, SessionDatabase } from "@/lib/agents/shared/session-database";
import { changedError, InputError, otherProgramError, systemCode } from "../base/input-error";
import { LIMITS } from "../base/limits";
import { preparedSelect } from "../store/database/bytes-of-texts";
import { type NativeSqlite, nativeSqlite } from "../store/database/native-sqlite";
import { type DatabaseState, databaseState } from "./stored-path";

export interface OpenDatabase {
  /** The format of its sessions' lines. */
  readonly format: FormatId;
  readonly query: Query;
  readonly rules: SessionDatabase;
}

/** Number of attempts on a growing database, and the delay between them. */
const ATTEMPTS = 5;
const AGAIN_MS = 50;

const NOT_NATIVE = "is a database, which is read by the optional package libsql, and that is not installed here.";

/**
 * Reads a consistent snapshot of a database to which its agent may be writing. It is opened read-only, and never blocks a write: with a write-ahead
 * log readers do not lock. Without one nothing is locked either, but if the file changed during the reading, `work` is called again. Rejects with
 * `InputError`, also for an unknown agent's database.
 * @param name for sentences about the file
 */
export async function withAgentDatabase<T>(
  path: string,
  work: (database: OpenDatabase) => T,
  name = basename(path),
): Promise<T> {
  const Database = await nativeSqlite();
  if (Database === undefined) throw new InputError("unreadable", `${name} ${NOT_NATIVE}`);
  const rules = await rulesOfAll();
  for (let attempt = 1; ; attempt++) {
    const before = databaseState(path);
    const file = new Database(addressOf(path, before), { timeout: AGAIN_MS });
    try {
      const result = inSnapshot(file, () => work(open(file, rules, name)));
      if (isConsistent(path, before)) return result;
    } catch (error) {
      // A reading torn by a change is repeated.
      if (isConsistent(path, before)) throw error instanceof InputError ? error : unreadable(name, error);
    } finally {
      file.close();
    }
    if (attempt === ATTEMPTS) throw changedError(name);
    await delay(AGAIN_MS);
  }
}

type Connection = InstanceType<NativeSqlite>;

function inSnapshot<T>(file: Connection, work: () => T): T {
  // A schema may name functions and tables of its author's choice.
  file.exec("pragma trusted_schema = off");
  file.exec("begin");
  try {
    return work();
  } finally {
    if (file.inTransaction) file.exec("rollback");
  }
}

/** Invalid UTF-8 becomes U+FFFD, as in files. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function open(file: Connection, all: readonly (readonly [FormatId, SessionDatabase])[], name: string): OpenDatabase {
  const query: Query = (sql, ...values) => preparedSelect(file, sql, decoder).iterate(values);
  const tables = new Set(Array.from(query(TABLES), ({ name }) => name));
  const columns = new Set(Array.from(query(COLUMNS), ({ name }) => name));
  const isThere = (name: string) => (name.includes(".") ? columns : tables).has(name);
  const found = all.find(([, rules]) => rules.tables.some((set) => set.every(isThere)));
  if (found === undefined) throw unknownDatabase(name, [...tables].map(String), query);
  const [format, rules] = found;
  return { format, query, rules };
}

/** Names the program of these tables, or else the tables. */
function unknownDatabase(name: string, tables: readonly string[], query: Query): InputError {
  let schema = "SQLite format 3\0";
  for (const { sql } of query("select sql from sqlite_schema where type = 'table'")) {
    if (typeof sql === "string" && schema.length < LIMITS.beginningBytes) schema += `${sql}\n`;
  }
  const known = signatureOfContent(schema);
  if (known !== undefined) return otherProgramError(known, name);
  const named = tables.slice(0, 8).map((table) => table.replace(/[^\w.-]/g, "?").slice(0, 40));
  const which = named.length === 0 ? "" : ` (tables: ${named.join(", ")})`;
  return new InputError("unreadable", `${name} is a database of no agent that is known here${which}.`);
}

/** A view, or a virtual table, may cause any amount of work. */
const TABLES = "select name from sqlite_schema where type = 'table' and sql not like 'create virtual%'";
const COLUMNS = `
  select tables.name || '.' || columns.name as name from sqlite_schema as tables, pragma_table_info(tables.name) as columns
  where tables.type = 'table' and tables.sql not like 'create virtual%'`;

async function rulesOfAll(): Promise<readonly (readonly [FormatId, SessionDatabase])[]> {
  const all = Object.entries(SERVER_PROFILES).flatMap(
    ([format, { database }]) =>
      database === undefined ? [] : [database().then((rules) => [format as FormatId, rules] as const)], // The registry's keys are formats.
  );
  return Promise.all(all);
}

/** True if everything read since a state is consistent. */
function isConsistent(path: string, { key, hasLog, hasJournal }: DatabaseState): boolean {
  return hasLog || (!hasJournal && databaseState(path).key === key);
}

/** Without a log the database is opened as immutable, since SQLite would create a log only to read. */
function addressOf(path: string, { hasLog }: DatabaseState): string {
  return `${pathToFileURL(path).href}?${hasLog ? "mode=ro" : "immutable=1"}`;
}

function unreadable(name: string, error: unknown): InputError {
  return new InputError(
    "unreadable",
    `${name} could not be read as a database (${systemCode(error) ?? "unknown reason"}).`,
  );
}
