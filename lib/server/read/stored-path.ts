import { type Stats, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SourceFile } from "./source-file";

/** The first bytes of every SQLite file. Source: sqlite.org/fileformat2.html, 1.3. */
const MARK = Buffer.from("SQLite format 3\0");

/** A session in a database. */
export interface StoredAt {
  readonly database: string;
  readonly id: string;
}

/** Sessions in a database have paths as if it were a folder: its own, then the session's id. */
export function storedPath({ database, id }: StoredAt): string {
  return join(database, encodeURIComponent(id).replaceAll(".", "%2E"));
}

/** True for an open file that is a database. */
export function isDatabase(file: SourceFile): boolean {
  return MARK.equals(file.read(0, MARK.length));
}

/** The database session of a path; `undefined` for other paths. */
export function storedAt(path: string): StoredAt | undefined {
  const database = dirname(path);
  if (!statOf(database)?.isFile()) return undefined;
  try {
    if (!SourceFile.use(database, isDatabase)) return undefined;
    return { database, id: decodeURIComponent(basename(path)) };
  } catch {
    return undefined; // The file is unreadable, or the path is not one of `storedPath`.
  }
}

/** State of a database's files on disk. */
export interface DatabaseState {
  /** Changes with every write. */
  readonly key: string;
  /** True if it has a write-ahead log that is not empty. */
  readonly hasLog: boolean;
  /** True if a write without such a log is in progress, or was cut off. */
  readonly hasJournal: boolean;
}

export function databaseState(path: string): DatabaseState {
  const [file, log, journal] = ["", "-wal", "-journal"].map((ending) => statOf(`${path}${ending}`));
  const key = [file, log, journal].map((info) => info && `${info.size} ${info.mtimeMs} ${info.ino}`).join("; ");
  return { key, hasLog: (log?.size ?? 0) > 0, hasJournal: (journal?.size ?? 0) > 0 };
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // An unreadable file counts as missing.
  }
}
