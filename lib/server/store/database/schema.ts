import type { Generated } from "kysely";

/** The index's tables. Truth values are 0 and 1, times are milliseconds, and what a file does not say is `null`. */
export interface Schema {
  meta: { key: string; value: string };
  files: FilesTable;
  sessions: SessionsTable;
  /** The last change of every session by its number, also of those that are no more. A later change has a greater revision. */
  session_changes: { number: number; revision: number };
  /** What tells which sessions belong together: see list/relations/families.ts. `is_new`: 1 until its relations are in its row. */
  session_links: SessionLinksTable;
  /** What is searched through, by `sessions.number`. */
  search: { rowid: number; text: string };
  /** The words of one or two characters in that text: see `shortWordsOf`. On SQLite they can be looked for, but not read. */
  short_words: { rowid: number; words: string };
}

interface SessionLinksTable {
  id: string;
  facts: string;
  exact: Uint8Array;
  sizes: Uint8Array;
  /** See `requestMetrics`: what its requests come to, so that those which it counts can be summed up without its file. */
  figures: Uint8Array;
  is_new: number;
}

/** Files that were found, and what they were when they were read. */
interface FilesTable {
  id: string;
  source: string;
  path: string;
  bytes: number;
  mtime: number;
  inode: string;
  /** What its place says, and what others say about it: see `listedAs`. */
  listed_as: string;
  /** Identifies the code that made what is kept of the file; `null` until this version was read. */
  made_by: string | null;
  /** When it was first missing. */
  gone_at: number | null;
}

/** Whether a file was read: not yet, in vain, or as a session. */
export type SessionState = "unread" | "failed" | "read";

/** The sessions of the list. Beside the row it has what queries look for, and what lists are filtered, sorted and summed by: see list/index/index-rows.ts. */
interface SessionsTable {
  number: Generated<number>;
  id: string;
  source: string;
  sample: number;
  gone: number;
  agent: string | null;
  project: string | null;
  /** Agent and folder that stand for its project, a line each, where nothing else says which project it is. */
  folder: string | null;
  state: SessionState;
  /** `RowMetrics` as JSON. */
  figures: string;
  /** `FactMetrics` as JSON, once its recording was read. */
  facts: string | null;
  /** `CountedMetrics` as JSON, once its requests were summed. */
  counted: string | null;
  /** The row as JSON, as it is sent. */
  row: string;
}
