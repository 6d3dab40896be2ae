import type { Bytes, Milliseconds } from "@/lib/core/base/units";
import { type JsonObject, parsedOr } from "./json";
import type { Placed } from "./places";

/** Runs one query and yields its rows as they come. Throws the database's errors. */
export type Query = (sql: string, ...values: readonly string[]) => Iterable<Readonly<Record<string, unknown>>>;

/** Facts about a session in an agent's database that are known without reading its messages. */
export interface StoredSession {
  readonly id: string;
  /** Size of the rows of its messages. */
  readonly bytes: Bytes;
  /** Time of the last write to any part of it. */
  readonly changedAt: Milliseconds;
  readonly title?: string;
  readonly placed: Placed;
}

/**
 * Reads an agent's sessions from an SQLite database. Its content is untrusted, like every record. A function throws if the tables are not those of a
 * known release.
 */
export interface SessionDatabase {
  /**
   * Sets of tables, and of columns as `table.column`, that only this agent has together: a database with all of one set belongs to it, whatever the
   * file's name.
   */
  readonly tables: readonly (readonly string[])[];
  /** All sessions, in any order, or the one with an id: none if there is no such session. */
  readonly sessions: (query: Query, id?: string) => Iterable<StoredSession>;
  /** A session as the lines of a file that the agent's reader reads, without line ends. */
  readonly lines: (query: Query, id: string) => Iterable<string>;
}

/** Text of a row's field. */
export function textField(row: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const value = row[field];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A count or a time of a row's field; 0 if it holds none. */
export function numberField(row: Readonly<Record<string, unknown>>, field: string): number {
  const value = row[field];
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/**
 * A row as a record, without its empty columns. JSON columns are parsed; a text in them that is not JSON stays a text.
 * @param json names of the JSON columns
 */
export function recordOfRow(row: Readonly<Record<string, unknown>>, json: readonly string[]): JsonObject {
  const filled = Object.entries(row).filter(([, value]) => value !== null && value !== "");
  return Object.fromEntries(
    filled.map(([name, value]) => [name, json.includes(name) && typeof value === "string" ? parsedOr(value) : value]),
  );
}
