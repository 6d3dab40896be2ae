import { agentOfFormat } from "@/lib/agents/formats";
import { readerOf, sniffReader } from "@/lib/agents/readers";
import { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { looksLikeDocument, recordsOfDocument } from "@/lib/core/transcript/document";
import type { Transcript } from "@/lib/core/transcript/model";
import type { Reader, SourceRecord } from "@/lib/core/transcript/reader";
import { counters } from "../counters";
import { decodeUtf8 } from "./decode";
import { InputError } from "./input-error";
import { Intake } from "./intake";
import { LIMITS } from "./limits";
import { LineReading } from "./line-reading";
import { type FileVersion, SourceFile } from "./source-file";

export interface ReadOptions {
  /** Longer lines are damaged, not read. */
  readonly maxLineBytes?: number;
  /** Size of the chunks that are read; the transcript does not depend on it. */
  readonly chunkBytes?: number;
  /** Records that a reader may look at before it says whether the file is its own. */
  readonly sniffRecords?: number;
  /** Bytes to read of it at most: an earlier state of a file that has grown. */
  readonly upTo?: number;
  /** Name for sentences about the file; its last part by default. */
  readonly name?: string;
  /** The format to read it as, whatever its content looks like; without it the content decides. */
  readonly format?: string | undefined;
}

/** A file that was read. */
export interface ReadFile {
  readonly transcript: Transcript;
  readonly reader: Reader;
  readonly version: FileVersion;
}

/**
 * Reads a session file that is not packed from end to end in bounded memory. Throws `InputError` where it cannot be read at
 * all.
 */
export function readTranscript(path: string, options: ReadOptions = {}): ReadFile {
  return SourceFile.use(path, (file) => readSource(file, options), options.upTo);
}

/** Reads an open file, packed or not. Throws `InputError`. */
export function readSource(file: SourceFile, options: ReadOptions = {}): ReadFile {
  counters.filesParsed += 1;
  return readUncounted(file, options);
}

/** The same, of a part that is small enough not to count as reading the file. Throws `InputError`. */
export function readUncounted(file: SourceFile, options: ReadOptions = {}): ReadFile {
  const name = options.name ?? file.name;
  if (file.size === 0) throw new InputError("empty", `${name} is empty.`);
  const builder = newBuilder();
  const intake = new Intake(builder, name, choiceOf(options.format), options.sniffRecords);
  const document = documentRecords(file);
  if (document === undefined) readLines(file, new LineReading(intake, name, options.maxLineBytes), builder, options);
  else for (const record of document) intake.record(record);
  if (file.unpacking !== "whole") builder.problem("unpacking-stopped", undefined, file.unpacking);
  const reader = intake.end();
  return {
    transcript: builder.finish(reader.format, agentOfFormat(reader.format)),
    reader,
    version: { ...file.version, format: options.format },
  };
}

/** How a reader is found: by the content, or the one of the format that was chosen. */
function choiceOf(format: string | undefined): typeof sniffReader {
  return format === undefined ? sniffReader : () => readerOf(format);
}

/** A builder that keeps short texts. */
export function newBuilder(): TranscriptBuilder {
  return new TranscriptBuilder({ keepChars: LIMITS.keepChars, byteLength: Buffer.byteLength });
}

/** Whether the file may be one JSON document, as far as its beginning says; else it is lines. */
export function mayBeDocument(file: SourceFile): boolean {
  if (file.size > LIMITS.documentBytes) return false;
  return looksLikeDocument(decodeUtf8(file.head));
}

/** The records of a file that is one JSON document; `undefined` for lines. */
function documentRecords(file: SourceFile): readonly SourceRecord[] | undefined {
  if (!mayBeDocument(file)) return undefined;
  const bytes = file.head.length < file.size ? file.read(0, file.size) : file.head;
  return recordsOfDocument(decodeUtf8(bytes), bytes.length);
}

function readLines(file: SourceFile, reading: LineReading, builder: TranscriptBuilder, options: ReadOptions): void {
  for (const chunk of file.chunks(options.chunkBytes)) reading.push(chunk);
  reading.end();
  if (reading.bytes < file.size) builder.problem("file-changed");
}
