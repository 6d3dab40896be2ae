import { counters } from "../base/counters";
import { newBuilder, readerChoice } from "./feed";
import { type ChosenSession, chosenSession } from "./file-sessions";
import { GrowingLines } from "./growing-lines";
import { Intake } from "./intake";
import { type ReadFile, type ReadOptions, readSource } from "./read-transcript";
import type { SourceFile } from "./source-file";

/**
 * The transcript of a file that is still being written, or of one session of it. Every call gives exactly what reading the file from the start would
 * give, but reads only what was added since the last call. These are read from the start again: documents, packed files, files that were replaced or
 * rewritten, files whose last line was already taken as a record and then went on, and a session that turns out to be one with another.
 */
export class GrowingTranscript {
  readonly #options: ReadOptions;
  #lines: GrowingLines;
  #grouping: object | undefined;

  constructor(options: ReadOptions = {}) {
    this.#options = options;
    this.#lines = this.#linesOf(undefined);
  }

  /**
   * The file as it is now. Throws `InputError`.
   * @param beingWritten whether the file is known to grow: a record that breaks off at its end is then still being written, not damaged
   */
  read(file: SourceFile, beingWritten = false): ReadFile {
    const { session, format } = this.#options;
    const chosen = session === undefined ? undefined : chosenSession(file, session, this.#options);
    if (chosen?.grouping !== this.#grouping) this.#lines = this.#linesOf(chosen);
    this.#grouping = chosen?.grouping;
    const read = this.#lines.read(file, beingWritten);
    if (read === undefined) return readSource(file, this.#options);
    counters[read.readOn ? "tailsRead" : "filesParsed"] += 1;
    const { transcript, reader, reading } = read;
    return { transcript, reader, reading, version: { ...file.version, format, session: chosen?.key } };
  }

  #linesOf(chosen: ChosenSession | undefined): GrowingLines {
    const { format, sniffRecords } = this.#options;
    const choice = chosen === undefined ? readerChoice(format) : () => chosen.reader;
    return new GrowingLines(
      this.#options,
      (name) => new Intake(newBuilder(), name, choice, sniffRecords, chosen?.newTakes()),
    );
  }
}
