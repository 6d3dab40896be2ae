import type { DocumentList, SourceRecord } from "../records/fields";
import type { TranscriptBuilder } from "./builder";

/** Takes the records of one file in order. */
export interface RecordParser {
  record(record: SourceRecord): void;
  /**
   * The file ends here, for now: writes what was held back. If the file grows, more records and another end follow. The builder has then forgotten
   * what this call wrote, so the parser must still be in the state before it.
   */
  end(): void;
}

/** What a record says about the session that it belongs to. If it says nothing, it belongs with the record before it. */
export interface SessionMark {
  /** The session's id. */
  readonly session?: string | undefined;
  /** A session begins here, whether or not its id is new: nothing before it is in its context. */
  readonly begins?: boolean;
  /** The record continues the session before it, under another id. */
  readonly continues?: boolean;
  /** The record's own id. Sessions that hold the same record are one: the later one was copied from the earlier. */
  readonly id?: string | undefined;
  /** Ids of the records that it follows. A session whose records follow those of another continues it: they are one. */
  readonly follows?: readonly (string | undefined)[];
}

/** An agent's part of reading: which files are its own, and what their records mean. Holds no state between files. */
export interface Reader {
  /** Format id: docs/interfaces.md, "Ids". */
  readonly format: string;
  /**
   * Whether the first records are this agent's, judged by content alone. Exclusive: for any file at most one reader says yes.
   * @param head the first records of the file, up to 50; all records of a document
   */
  sniff(head: readonly Readonly<Record<string, unknown>>[]): boolean;
  /** A parser that writes what it reads into `builder`. Never throws on odd content: that becomes a `Problem`. */
  parse(builder: TranscriptBuilder): RecordParser;
  /**
   * The texts of one record's blocks, in the order of `BlockSource.part`, for loading what the transcript holds by reference. They are exactly the
   * texts that `parse` measured.
   */
  texts(record: Readonly<Record<string, unknown>>): readonly string[];
  /** Where a document of this format holds the list whose objects are its records; without it an object is one record. */
  readonly documentList?: DocumentList;
  /**
   * For one file, a function that tells which session each record belongs to, called in order. Only used for files with a problem `several-sessions`;
   * absent where records of this format cannot tell.
   */
  sessionMarks?(): (record: SourceRecord) => SessionMark;
  /**
   * For one file, a function that tells of which subagent each record is, called in order, where subagents' records stand in the file of the session that started
   * them; absent where no file holds both.
   */
  subagentMarks?(): (record: Readonly<Record<string, unknown>>) => string | undefined;
}
