import type { Generated } from "kysely";

/** The index's tables. Truth values are 0 and 1, times are milliseconds, and unknown values are `null`. */
export interface Schema {
  meta: { key: string; value: string };
  files: FilesTable;
  sessions: SessionsTable;
  /** The last change of every session by its number, including removed ones. A later change has a greater revision. */
  session_changes: { number: number; revision: number };
  /** Data that relates sessions: see list/relations/families.ts. `is_new`: 1 until its relations are in its row. */
  session_links: SessionLinksTable;
  /** The searched text, by `sessions.number`. */
  search: { rowid: number; text: string };
  /** The words of one or two characters in that text: see `shortWordsOf`. On SQLite they can be searched, but not read. */
  short_words: { rowid: number; words: string };
}

interface SessionLinksTable {
  id: string;
  facts: string;
  exact: Uint8Array;
  sizes: Uint8Array;
  /** Metrics of its requests (see `requestMetrics`), so that its counted requests can be summed without its file. */
  figures: Uint8Array;
  is_new: number;
}

/** Found files, and their states when they were read. */
interface FilesTable {
  id: string;
  source: string;
  path: string;
  bytes: number;
  mtime: number;
  inode: string;
  /** Facts from its path, and from other files: see `listedAs`. */
  listed_as: string;
  /** Identifies the code that made the file's stored facts; `null` until this version is read. */
  made_by: string | null;
  /** Time since which it is missing. */
  gone_at: number | null;
}

/** Read state of a file: unread, failed, or a session. */
export type SessionState = "unread" | "failed" | "read";

/** The sessions of the list. Besides the row it holds search, filter, sort and sum values: see list/index/index-rows.ts. */
interface SessionsTable {
  number: Generated<number>;
  id: string;
  source: string;
  sample: number;
  gone: number;
  agent: string | null;
  project: string | null;
  /** Agent and folder that identify its project, one per line, if nothing else names the project. */
  folder: string | null;
  state: SessionState;
  /** `RowMetrics` as JSON. */
  figures: string;
  /** `FactMetrics` as JSON, after its recording is read. */
  facts: string | null;
  /** `CountedMetrics` as JSON, after its requests are summed. */
  counted: string | null;
  /** The row as JSON, as sent. */
  row: string;
}
