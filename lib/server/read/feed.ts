import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { LRUCache } from "lru-cache";
import { signatureOfContent, tablesOf } from "@/lib/agents/known-signatures";
import { DOCUMENT_LISTS, PROFILES, readerOf, sniffReader } from "@/lib/agents/registry";
import type { AgentPlaces } from "@/lib/agents/shared/places";
import { holdsWholeLines, looksLikeDocument, recordsOfDocument } from "@/lib/core/records/document";
import type { SourceRecord } from "@/lib/core/records/fields";
import { RecordKinds } from "@/lib/core/records/intact-record";
import { LineSplitter, type RawLine, recordsOfLine } from "@/lib/core/records/jsonl";
import { NestingError } from "@/lib/core/records/nesting";
import type { Damage } from "@/lib/core/records/problem";
import { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Transcript } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import { counters } from "../base/counters";
import { InputError, otherProgramError, tooDeepDocument, tooLargeDocument } from "../base/input-error";
import { LIMITS } from "../base/limits";
import { regularFileText } from "../base/regular-file";
import { decodeAscii, decodeSigns, decodeUtf8, includesByte, latin1 } from "./decode";
import type { Intake } from "./intake";
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
  /** The file's path, which distinguishes agents whose records look alike. */
  readonly path?: string | undefined;
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

/** Chooses the reader: by the chosen format, else by the content and, if two agents match, by the file's place. */
export function readerChoice({ format, path }: Pick<FeedOptions, "format" | "path">): typeof sniffReader {
  if (format !== undefined) return () => readerOf(format);
  return (head) => {
    const reader = sniffReader(head);
    return reader === undefined || path === undefined ? reader : (readerOf(formatAt(path, reader.format)) ?? reader);
  };
}

/** Maximum folders above a file that are searched for an agent's own file. */
const MARK_FOLDERS = 4;

/** The format of a file, refined by its place: several agents write records that look alike. Unchanged if the place belongs to none of these. */
function formatAt(path: string, format: string): string {
  const place = path.split(sep).join("/");
  for (const [agent, { places }] of Object.entries<{ readonly places: AgentPlaces }>(PROFILES)) {
    const { looksLike, index } = places;
    if (looksLike?.format !== format) continue;
    if (looksLike.path.test(place)) return agent;
    let folder = dirname(path);
    if (index !== undefined && listedIn(join(folder, index.file), index.read).has(basename(path))) return agent;
    for (let level = 0; level < MARK_FOLDERS; level++, folder = dirname(folder))
      if (existsSync(join(folder, looksLike.mark))) return agent;
  }
  return format;
}

type Index = NonNullable<AgentPlaces["index"]>;

const indexes = new LRUCache<string, ReadonlyMap<string, unknown>>({ max: 4 });

/** The files in an agent's session index; none without one. A folder of thousands of sessions has one index. */
function listedIn(path: string, read: Index["read"]): ReadonlyMap<string, unknown> {
  const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (mtimeMs === undefined) return NOTHING;
  const key = `${mtimeMs} ${path}`;
  const known = indexes.get(key) ?? read(textOrNone(path));
  indexes.set(key, known);
  return known;
}

const NOTHING: ReadonlyMap<string, unknown> = new Map();

function textOrNone(path: string): string {
  try {
    return regularFileText(path);
  } catch {
    return ""; // It is unreadable, or not a regular file.
  }
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

/** The beginning of a file, up to the end of the line in which a list or an object begins. It decides if the file is a document. */
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

/** Reads the bytes of a file of lines as they arrive. Its result so far is available at any time, and reading may continue. */
export class LineReading {
  readonly #intake: Intake;
  readonly #name: string;
  readonly #splitter: LineSplitter;
  readonly #kinds = new RecordKinds();
  #bytes = 0;
  #binary = false;
  /** True while the end of the bytes is handled: the last line may be incomplete. */
  #ending = false;
  #unfinished: Damage | undefined;
  /** The last line, if its records were read before its line break arrived. */
  #taken: { readonly line: number; readonly length: number } | undefined;
  #beginning: Uint8Array = new Uint8Array(0);
  #torn = false;
  #tooLong = false;

  constructor(intake: Intake, name: string, maxLineBytes: number = LIMITS.maxLineBytes) {
    this.#intake = intake;
    this.#name = name;
    this.#splitter = new LineSplitter({
      decode: decodeUtf8,
      decodeAscii,
      maxLineBytes,
      onLine: (line, bytes) => this.#line(line, bytes),
      onTooLong: (damage) => {
        this.#tooLong = true;
        this.#damage(damage);
      },
    });
  }

  /** Number of bytes so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** True if the last line grew after its records were read: the result then differs from the file. */
  get torn(): boolean {
    return this.#torn;
  }

  /** Takes the next bytes. Throws `InputError` if they are not text. */
  push(chunk: Uint8Array): void {
    if (this.#bytes === 0) this.#begin(chunk);
    this.#binary ||= this.#bytes < LIMITS.binaryBytes && includesByte(chunk, 0);
    this.#bytes += chunk.length;
    this.#splitter.push(chunk);
    if (this.#binary && !this.#intake.recognised && this.#bytes >= LIMITS.binaryBytes) throw this.#binaryError();
  }

  #begin(chunk: Uint8Array): void {
    this.#beginning = chunk.slice(0, LIMITS.beginningBytes);
    this.#intake.begins(this.#beginning);
  }

  /** The file ends, so its last line is whole. Throws `InputError` if it is not text. */
  end(): void {
    this.#end();
    if (this.#unfinished !== undefined) this.#intake.damage(this.#unfinished);
  }

  /** The result so far, equal to reading only these bytes. Throws `InputError` without any. */
  soFar(beingWritten: boolean): { transcript: Transcript; reader: Reader } {
    this.#end();
    return this.#intake.soFar(this.#unfinished, beingWritten);
  }

  #end(): void {
    this.#unfinished = undefined;
    this.#ending = true;
    this.#splitter.end();
    this.#ending = false;
    if (this.#binary && this.#intake.records === 0) throw this.#binaryError();
    if (this.#tooLong && this.#intake.records === 0) throw tooLargeDocument(this.#name);
  }

  #line(raw: RawLine, bytes: Uint8Array | undefined): void {
    counters.linesParsed += 1;
    const { records, damage } = withoutStacks(() => recordsOfLine(raw, bytes, this.#kinds));
    if (raw.line !== this.#taken?.line) for (const record of records) this.#intake.record(record);
    else if (raw.length !== this.#taken.length) this.#torn = true;
    if (this.#ending && records.length > 0) this.#taken = raw;
    if (damage !== undefined) this.#damage(damage);
  }

  #damage(damage: Damage): void {
    if (this.#ending) this.#unfinished = damage;
    else this.#intake.damage(damage);
  }

  #binaryError(): InputError {
    const beginning = latin1(this.#beginning);
    const known = signatureOfContent(beginning);
    if (known !== undefined) return otherProgramError(known, this.#name);
    const tables = tablesOf(beginning).slice(0, 8);
    const what = tables.length === 0 ? "a binary file" : `a SQLite database (tables: ${tables.join(", ")})`;
    return new InputError("binary", `${this.#name} is ${what}, not a transcript.`);
  }
}

/** Does work without recording stacks of errors: they are most of the cost of a damaged line's `SyntaxError`. */
function withoutStacks<T>(work: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = limit;
  }
}
