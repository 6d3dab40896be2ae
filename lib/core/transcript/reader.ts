import type { DocumentList, SourceRecord } from "../records/fields";
import type { TranscriptBuilder } from "./builder";

/** Parses the records of one file in order. */
export interface RecordParser {
  record(record: SourceRecord): void;
  /**
   * Ends the file for now: writes all held entries. If the file grows, more records and another end follow. The builder is then reset to its state
   * before this call, so the parser must be in its earlier state too.
   */
  end(): void;
}

/** Facts of a record about its session. A record without any belongs to the session of the record before it. */
export interface SessionMark {
  /** The session's id. */
  readonly session?: string | undefined;
  /** A session begins here, even if its id is not new: no earlier record is in its context. */
  readonly begins?: boolean;
  /** The record continues the session before it, under another id. */
  readonly continues?: boolean;
  /** Id of the record. Sessions with the same record are one: the later one is a copy of the earlier. */
  readonly id?: string | undefined;
  /** Ids of the records that it follows. A session whose records follow those of another continues it: they are one. */
  readonly follows?: readonly (string | undefined)[];
}

/** File reader of an agent: recognises its files and interprets their records. Holds no state between files. */
export interface Reader {
  /** Format id: docs/interfaces.md, "Ids". */
  readonly format: string;
  /**
   * True if the first records are this agent's, by content alone. Exclusive: at most one reader recognises a file.
   * @param head the first records of the file, up to 50; all records of a document
   */
  sniff(head: readonly Readonly<Record<string, unknown>>[]): boolean;
  /**
   * Returns a parser that writes to `builder`. Never throws on odd content: that becomes a `Problem`.
   * @param companion text of the `companion`, if there is one
   */
  parse(builder: TranscriptBuilder, companion?: string): RecordParser;
  /**
   * Texts of one record's blocks, in the order of `BlockSource.part`, for loading text that the transcript stores by reference. They equal the texts
   * that `parse` measured.
   */
  texts(record: Readonly<Record<string, unknown>>): readonly string[];
  /** A file with more about a session, beside a session file `of` this name; its text is passed to `parse`. */
  readonly companion?: { readonly of: string; readonly name: string };
  /** Key path to the list of records in a document of this format; without it an object is one record. */
  readonly documentList?: DocumentList;
  /**
   * Returns, for one file, a function that reads each record's session mark, called in order. Only used for files with a problem `several-sessions`;
   * absent if records of this format have no marks.
   */
  sessionMarks?(): (record: SourceRecord) => SessionMark;
  /**
   * Returns, for one file, a function that reads each record's subagent, called in order, if subagents' records are in the file of the session that
   * started them. Absent if no file holds both.
   */
  subagentMarks?(): (record: Readonly<Record<string, unknown>>) => string | undefined;
}
