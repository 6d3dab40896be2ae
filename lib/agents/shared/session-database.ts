import type { Bytes, Milliseconds } from "@/lib/core/base/units";
import type { Placed } from "./places";

/** Asks a database one question and gives its rows as they come. Throws what the database throws. */
export type Query = (sql: string, ...values: readonly string[]) => Iterable<Readonly<Record<string, unknown>>>;

/** A session in an agent's database, as far as it is known without reading its messages. */
export interface StoredSession {
  readonly id: string;
  /** What the rows of its messages take. */
  readonly bytes: Bytes;
  /** When anything of it was last written. */
  readonly changedAt: Milliseconds;
  readonly title?: string;
  readonly placed: Placed;
}

/**
 * How an agent keeps sessions in a database of SQLite. What is in it is untrusted, like every record. A function throws where the tables are not those of a
 * release that it knows.
 */
export interface SessionDatabase {
  /** Sets of tables that only this agent has together: a database with all of one set is its, whatever the file is called. */
  readonly tables: readonly (readonly string[])[];
  /** All sessions, in any order, or the one with an id: none where there is no such session. */
  readonly sessions: (query: Query, id?: string) => Iterable<StoredSession>;
  /** A session as the lines of a file that the agent's reader reads, without line ends. */
  readonly lines: (query: Query, id: string) => Iterable<string>;
}

/** Text of a row's field. */
export function textField(row: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const value = row[field];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A count or a time of a row's field; 0 where it holds none. */
export function numberField(row: Readonly<Record<string, unknown>>, field: string): number {
  const value = row[field];
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
