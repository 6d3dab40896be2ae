import { DOCUMENT_LISTS, readerOf, sniffReader } from "@/lib/agents/registry";
import { holdsWholeLines, looksLikeDocument, recordsOfDocument } from "@/lib/core/records/document";
import type { SourceRecord } from "@/lib/core/records/fields";
import { NestingError } from "@/lib/core/records/nesting";
import { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { tooDeepDocument, tooLargeDocument } from "../base/input-error";
import { LIMITS } from "../base/limits";
import { decodeSigns, decodeUtf8 } from "./decode";
import type { Intake } from "./intake";
import { LineReading } from "./line-reading";
import type { SourceFile } from "./source-file";
import { wholeText } from "./whole-text";

/** Options of reading a file's records. */
export interface FeedOptions {
  /** Longer lines count as damaged and are not read. */
  readonly maxLineBytes?: number;
  /** Size of the chunks that are read; the transcript does not depend on it. */
  readonly chunkBytes?: number;
  /** Maximum records that a reader examines before it accepts or rejects the file. */
  readonly sniffRecords?: number;
  /** Name for sentences about the file; by default the last part of its path. */
  readonly name?: string;
  /** The format of the file; default: detected from its content. */
  readonly format?: string | undefined;
}

/** Passes every record of a file to the intake, whether it consists of lines or is a document. Throws `InputError`. */
export function feed(file: SourceFile, intake: Intake, builder: TranscriptBuilder, options: FeedOptions): void {
  const document = documentRecords(file, options.name);
  if (document !== undefined) {
    intake.document(document);
    return;
  }
  const reading = new LineReading(intake, options.name ?? file.name, options.maxLineBytes);
  for (const chunk of file.chunks(options.chunkBytes)) reading.push(chunk);
  reading.end();
  if (reading.bytes < file.size) builder.problem("file-changed");
}

/** Choice of the reader: by the content, or by the chosen format. */
export function readerChoice(format: string | undefined): typeof sniffReader {
  return format === undefined ? sniffReader : () => readerOf(format);
}

/** A builder with this program's limit for kept texts. */
export function newBuilder(): TranscriptBuilder {
  return new TranscriptBuilder({ keepChars: LIMITS.keepChars, byteLength: Buffer.byteLength });
}

/**
 * True if the file may be one JSON document, judging by its beginning; otherwise it consists of lines. Throws `InputError` for a document that is too
 * large to be held.
 */
export function mayBeDocument(file: SourceFile, name = file.name): boolean {
  if (!looksLikeDocument(firstLine(file.head), DOCUMENT_LISTS)) return false;
  if (file.size <= LIMITS.documentBytes) return true;
  if (!holdsWholeLines(decodeUtf8(file.head))) throw tooLargeDocument(name);
  return false;
}

/** A file's beginning up to the end of the line in which a list or an object begins, which decides whether it is a document. */
function firstLine(head: Uint8Array): string {
  const end = head.indexOf(LF, head.findIndex(isOpening));
  return decodeSigns(head, end < 0 ? head.length : end + 1);
}

const LF = 0x0a;

function isOpening(byte: number): boolean {
  return byte === 0x7b || byte === 0x5b;
}

/** The records of a file that is one JSON document; `undefined` for lines. Throws `InputError` for a document that is nested too deeply. */
function documentRecords(file: SourceFile, name = file.name): readonly SourceRecord[] | undefined {
  if (!mayBeDocument(file, name)) return undefined;
  const { text, bytes } = wholeText(file);
  try {
    return recordsOfDocument(text, DOCUMENT_LISTS, bytes);
  } catch (error) {
    throw error instanceof NestingError ? tooDeepDocument(name) : error;
  }
}
