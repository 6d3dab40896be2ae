import type { Generated } from "kysely";

/** The index's tables. Truth values are 0 and 1, times are milliseconds, and what a file does not say is `null`. */
export interface Schema {
  meta: { key: string; value: string };
  files: FilesTable;
  sessions: SessionsTable;
  /** The row of the list as JSON, as it is sent. */
  session_rows: { id: string; row: string };
  /** The last change of every session by its number, also of those that are no more. A later change has a greater revision. */
  session_changes: { number: number; revision: number };
  /** What tells which sessions belong together: see catalog/relations/families.ts. `is_new`: 1 until its relations are in its row. */
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
  /** See `requestFigures`: what its requests come to, so that those which it counts can be summed up without its file. */
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

/** Everything that lists are filtered, sorted and summed by. */
export interface SessionsTable {
  number: Generated<number>;
  id: string;
  source: string;
  sample: number;
  upload: number;
  /** Whether the list shows it: see `isShown`. */
  shown: number;
  gone: number;
  agent: string | null;
  version: string | null;
  project: string | null;
  /** Agent and folder that stand for its project, a line each, where nothing else says which project it is. */
  folder: string | null;
  started: number | null;
  modified: number;
  /** When the recording ended, else when its file was changed. */
  ended: number | null;
  bytes: number;
  state: SessionState;
  /** A text to sort by: see `sortText`. */
  title: string;
  /** A list of texts as JSON. */
  models: string | null;
  requests: number | null;
  compactions: number | null;
  /** Whether there is one. */
  compacted: number | null;
  /** The largest context, in tokens and as a share of the window. */
  peak: number | null;
  peak_share: number | null;
  /** US dollars by list prices, of what it counts without its subagents; `null` where a request has no price. */
  cost: number | null;
  cost_is_least: number | null;
  /** Sums over the requests that it counts, those of subagents in its file included: see `ownFigures`. */
  counted_requests: number | null;
  counted_compactions: number | null;
  /** US dollars of those that have a price, and 1 where one has none. */
  priced: number | null;
  unpriced: number | null;
  /** Names of their models, a list as JSON; `null` where all have a price. */
  unpriced_models: string | null;
  /** Times of the first and the last of them. */
  first_at: number | null;
  last_at: number | null;
  /** A list of `QuarterSum` as JSON; `null` where all lie in one quarter of an hour. */
  quarters: string | null;
  input: number | null;
  cache_read: number | null;
  cache_write: number | null;
  output: number | null;
  /** Everything sent: input and what was read from and written to the cache. */
  sent: number | null;
  damaged: number | null;
  problems: number | null;
  /** Whether the file could not be read, or something in it was not read or is odd. */
  faulty: number | null;
  /** Mean error of the bytes / 4 estimate, as a share; with fewer than eight pairs of requests nothing can be said. */
  accuracy: number | null;
  /** The share that the agent's own policy meets of the recorded compactions that it could have met, and how many these are. */
  fidelity: number | null;
  /** What was needed again after its compactions, and the tokens that would bring it back. */
  needed: number | null;
  needed_tokens: number | null;
  checked: number | null;
  /** What was sent anew although a cache had it, by cause: a list of `BreakSum` as JSON. */
  breaks: string | null;
  /** How well its figures can be trusted: a list of `IndexedScore` as JSON. */
  scores: string | null;
  /** 1 where other sessions count all of its requests. */
  copy: number;
  repeated: number;
  /** How many requests it begins with that other sessions count. */
  inherited: number | null;
}
