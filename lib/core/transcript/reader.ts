import type { Bytes, LineNumber } from "../base/units";
import type { TranscriptBuilder } from "./builder";

/** One JSON object of the file and where it lies. A line with several objects gives several records with its number. */
export interface SourceRecord {
  readonly value: Readonly<Record<string, unknown>>;
  readonly line: LineNumber;
  readonly offset: Bytes;
  readonly length: Bytes;
}

/** Keys that lead from a document to the list of its records. */
export type DocumentList = readonly string[];

/** Takes the records of one file in order. */
export interface RecordParser {
  record(record: SourceRecord): void;
  /**
   * The file ends here, for now: writes what was held back. A file that grows goes on with more records and another end;
   * the builder has then forgotten what this one wrote, so the parser itself must be as it was before.
   */
  end(): void;
}

/** What a record says of the session that it belongs to. Whatever is absent leaves it with the record before it. */
export interface SessionMark {
  /** The session's id. */
  readonly session?: string | undefined;
  /** A session begins here whether or not its id is new: nothing before it is in its context. */
  readonly begins?: boolean;
  /** The record goes on with the session before it, under another id. */
  readonly continues?: boolean;
  /** The record's own id. Sessions that hold the same record are one: the later one was copied from the earlier. */
  readonly id?: string | undefined;
  /** Ids of the records that it follows. A session whose records follow another one's goes on with that one: they are one. */
  readonly follows?: readonly (string | undefined)[];
}

/** An agent's half of reading: which files are its own, what their records mean. Holds no state between files. */
export interface Reader {
  /** Format id: docs/interfaces.md, "Ids". */
  readonly format: string;
  /**
   * Whether the first records are this agent's, judged by content alone. Exclusive: for any file at most one reader says yes.
   * @param head the first records of the file, up to 50; of a document all of them
   */
  sniff(head: readonly Readonly<Record<string, unknown>>[]): boolean;
  /** A parser that writes what it reads into `builder`. Never throws on odd content: that is a `Problem`. */
  parse(builder: TranscriptBuilder): RecordParser;
  /**
   * The texts of one record's blocks, in the order of `BlockSource.part`: for loading what the transcript holds by
   * reference. Gives exactly the texts that `parse` measured.
   */
  texts(record: Readonly<Record<string, unknown>>): readonly string[];
  /** Where a document of this format holds the list whose objects are its records; without it an object is one record. */
  readonly documentList?: DocumentList;
  /**
   * For one file: which session each of its records belongs to, asked in order. Only files with a problem `several-sessions`
   * are asked; absent where records of this format cannot tell.
   */
  sessionMarks?(): (record: SourceRecord) => SessionMark;
}
