import { lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { LRUCache } from "lru-cache";
import { agentOfFormat } from "@/lib/agents/agents";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import type { Transcript } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import { counters } from "../base/counters";
import { InputError } from "../base/input-error";
import { LIMITS } from "../base/limits";
import { regularFileText } from "../base/regular-file";
import { type FeedOptions, feed, newBuilder, readerChoice } from "./feed";
import { type ChosenSession, chosenSession } from "./file-sessions";
import { GrowingLines } from "./growing-lines";
import { Intake } from "./intake";
import { type FileVersion, mayGrow, SourceFile, versionKey } from "./source-file";

export interface ReadOptions extends FeedOptions {
  /** Maximum bytes to read: for an earlier state of a grown file. */
  readonly upTo?: number;
  /** Key or id of the one session to read, if the file holds several; default: all of them. */
  readonly session?: string | undefined;
}

export interface ReadFile {
  readonly transcript: Transcript;
  readonly reader: Reader;
  readonly version: FileVersion;
  /** The same object for all versions of a growing file as long as its reading continues: then earlier content keeps its offsets. */
  readonly reading?: object;
}

/** Reads an unpacked session file, from end to end, in bounded memory. Throws `InputError` if it cannot be read at all. */
export function readTranscript(path: string, options: ReadOptions = {}): ReadFile {
  return SourceFile.use(path, (file) => readSource(file, options), options.upTo);
}

/** Reads an open file, packed or not. Throws `InputError`. */
export function readSource(file: SourceFile, options: ReadOptions = {}): ReadFile {
  counters.filesParsed += 1;
  return readUncounted(file, options);
}

/** As `readSource`, for a part that is too small to count as reading the file. Throws `InputError`. */
export function readUncounted(file: SourceFile, options: ReadOptions = {}): ReadFile {
  const name = options.name ?? file.name;
  if (file.size === 0) throw new InputError("empty", `${name} is empty.`);
  const builder = newBuilder();
  const chosen = options.session === undefined ? undefined : chosenSession(file, options.session, options);
  const choice = chosen === undefined ? readerChoice({ path: file.path, ...options }) : () => chosen.reader;
  const companion = (reader: Reader) => companionText(reader, file.path);
  const intake = new Intake(builder, name, choice, options.sniffRecords, chosen?.newSelector(), companion);
  feed(file, intake, builder, options);
  if (file.unpacking !== "whole") builder.problem("unpacking-stopped", undefined, file.unpacking);
  const reader = intake.end();
  const { bytes, mtimeMs } = file.version;
  return {
    transcript: builder.finish(reader.format, agentOfFormat(reader.format)),
    reader,
    version: { bytes, mtimeMs, format: options.format, session: chosen?.key },
  };
}

/** Text of the file next to a session's own that its reader reads too; `undefined` if there is no regular file of moderate size. */
function companionText({ companion }: Reader, path: string | undefined): string | undefined {
  if (companion === undefined || path === undefined || basename(path) !== companion.of) return undefined;
  const file = join(dirname(path), companion.name);
  try {
    // A link may lead out of the folder.
    const info = lstatSync(file);
    return info.isFile() && info.size <= LIMITS.documentBytes ? regularFileText(file) : undefined;
  } catch {
    return undefined; // A session that was copied from its folder has none.
  }
}

export interface OpenTranscript extends ReadFile {
  readonly columns: SessionColumns;
}

/** Maximum estimated memory of a thread's transcripts. */
const KEPT_BYTES = 96 << 20;
/** Rough sizes of a message's and a block's rows in the transcript and in its columns, including names and kept texts. */
const MESSAGE_BYTES = 60;
const BLOCK_BYTES = 250;
/** Maximum growing files that can be continued; the state of their parsers is kept for it. */
const GROWING_FILES = 4;

/** A file that may grow, and whether it has grown. */
interface Growing {
  readonly reading: GrowingTranscript;
  readonly bytes: number;
  readonly grows: boolean;
}

/** The last transcripts of this thread, so that counting and loading texts read no file from the start again. */
export class OpenTranscripts {
  readonly #kept = new LRUCache<string, OpenTranscript>({ maxSize: KEPT_BYTES, sizeCalculation: weightOf });
  readonly #growing = new LRUCache<string, Growing>({ max: GROWING_FILES });
  /** The last transcript, which is kept whatever its size. */
  #last: { readonly key: string; readonly open: OpenTranscript } | undefined;

  /**
   * Reads the current file, or returns the cached transcript of that version. Throws `InputError`.
   * @param keep true if its texts may soon be loaded
   */
  read(
    path: string,
    file: SourceFile,
    options: ReadOptions = {},
    keep: (transcript: Transcript) => boolean = () => true,
  ): OpenTranscript {
    const { format, session } = options;
    const version = { ...file.version, format, session };
    return this.#known(path, version) ?? this.#columnsOf(path, this.#transcriptOf(path, file, options), keep);
  }

  /** The transcript of an earlier version. Throws `InputError` "changed" if the file no longer holds it. */
  at(path: string, file: SourceFile, version: FileVersion): OpenTranscript {
    const known = this.#known(path, version);
    if (known !== undefined) return known;
    const open = this.#columnsOf(
      path,
      readSource(file.asOf(version), { format: version.format, session: version.session }),
    );
    this.#keep(keyOf(path, version), open);
    return open;
  }

  #known(path: string, version: FileVersion): OpenTranscript | undefined {
    const key = keyOf(path, version);
    return this.#last?.key === key ? this.#last.open : this.#kept.get(key);
  }

  /** For a growing file, reads only new bytes. */
  #transcriptOf(path: string, file: SourceFile, options: ReadOptions): ReadFile {
    const key = `${options.format ?? ""} ${options.session ?? ""} ${path}`;
    const known = this.#growing.get(key);
    if (known === undefined && !mayGrow(file.version)) return readSource(file, options);
    const reading = known?.reading ?? new GrowingTranscript({ ...options, path });
    const { bytes } = file.version;
    const grows = known !== undefined && (known.grows || bytes > known.bytes);
    this.#growing.set(key, { reading, bytes, grows });
    return reading.read(file, grows);
  }

  /** Drops a version, whose texts are not loaded again. */
  forget(path: string, version: FileVersion): void {
    const key = keyOf(path, version);
    this.#kept.delete(key);
    if (this.#last?.key === key) this.#last = undefined;
  }

  #columnsOf(path: string, read: ReadFile, keep: (transcript: Transcript) => boolean = () => true): OpenTranscript {
    const open = { ...read, columns: columnsFromTranscript(read.transcript) };
    if (keep(read.transcript)) this.#keep(keyOf(path, read.version), open);
    return open;
  }

  #keep(key: string, open: OpenTranscript): void {
    this.#last = { key, open };
    this.#kept.set(key, open);
  }
}

function keyOf(path: string, version: FileVersion): string {
  return `${versionKey(version)} ${path}`;
}

function weightOf({ transcript: { list } }: OpenTranscript): number {
  return 1 + list.length * MESSAGE_BYTES + list.blocks.length * BLOCK_BYTES;
}

/**
 * The transcript of a file that is still being written, or of one session of it. Every call gives exactly the result of reading the file from the
 * start, but reads only the bytes added since the last call. Some files are read from the start again: documents, compressed files, replaced or
 * rewritten files, files whose last line was taken as a record and then continued, and a session that turns out to be the same as another one.
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
   * The current file. Throws `InputError`.
   * @param beingWritten true if the file is known to grow: an incomplete record at its end is then being written, not damaged
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
    const { sniffRecords, path } = this.#options;
    const companion = (reader: Reader) => companionText(reader, path);
    const choice = chosen === undefined ? readerChoice(this.#options) : () => chosen.reader;
    return new GrowingLines(
      this.#options,
      (name) => new Intake(newBuilder(), name, choice, sniffRecords, chosen?.newSelector(), companion),
    );
  }
}
