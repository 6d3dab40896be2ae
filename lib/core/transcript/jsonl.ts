import type { Bytes, LineNumber } from "../base/units";
import { utf8Length } from "../tokens/characters";
import { isObject } from "./fields";
import { closingQuote, NestingError, parseJson } from "./nesting";
import type { Damage, DamageReason } from "./problem";
import type { SourceRecord } from "./reader";

/**
 * Lines of a JSONL file and the JSON objects in them, as docs/interfaces.md, "How inspect counts", counts them. Pure: bytes come in, decoding is
 * injected, nothing is read here.
 */

/** One line of the file, without its end (LF or CR LF) and without the byte order mark at the file's start. */
export interface RawLine {
  readonly line: LineNumber;
  readonly offset: Bytes;
  readonly length: Bytes;
  readonly text: string;
}

/** What one line holds. */
export interface LineResult {
  /** Complete JSON objects, in order; several where records were glued together without a line end. */
  readonly records: readonly SourceRecord[];
  /** Present where the line, or the rest of it after those objects, is not a record. */
  readonly damage?: Damage;
}

const NOTHING: LineResult = { records: [] };

/**
 * The JSON objects of one line. A blank line gives none. A good line costs one `JSON.parse`. Places of glued records are counted on the decoded text,
 * so they are exact for valid UTF-8.
 */
export function recordsOfLine(raw: RawLine): LineResult {
  const value = parsed(raw.text);
  if (value === TOO_DEEP && raw.text.charCodeAt(skipSpace(raw.text, 0)) !== OPEN) {
    return { records: [], damage: damageOf(raw, "too deep") };
  }
  if (isObject(value)) return { records: [{ value, line: raw.line, offset: raw.offset, length: raw.length }] };
  if (value !== undefined && value !== TOO_DEEP) return { records: [], damage: damageOf(raw, "not an object") };
  if (isBlank(raw.text, 0)) return NOTHING;
  return gluedRecords(raw);
}

/** What a JSON value can begin with. This check avoids an exception, which costs as much as parsing a kilobyte of JSON. */
const BEGINS_JSON = /^[\t\n\r ]*[[{"\-0-9tfn]/;

/** Reads a line that is not one JSON value: objects back to back, perhaps with a break after them. */
function gluedRecords(raw: RawLine): LineResult {
  const { text } = raw;
  const records: SourceRecord[] = [];
  let end = 0;
  let bytes = 0;
  while (!isBlank(text, end)) {
    const start = skipSpace(text, end);
    const close = text[start] === "{" ? objectEnd(text, start) : -1;
    const value = close < 0 ? undefined : parsed(text.slice(start, close));
    if (value === TOO_DEEP) return { records, damage: damageOf(raw, "too deep") };
    if (!isObject(value)) return { records, damage: damageOf(raw, breakReason(text, start, close)) };
    const offset = bytes + utf8Length(text.slice(end, start));
    const length = utf8Length(text.slice(start, close));
    records.push({ value, line: raw.line, offset: raw.offset + offset, length });
    end = close;
    bytes = offset + length;
  }
  return { records };
}

/** Why reading stops at `start`; `close` is the end of the object that begins there, −1 if it does not end. */
function breakReason(text: string, start: number, close: number): DamageReason {
  // The whole line was tried first, so the text from its beginning is known not to be JSON.
  if (text[start] !== "{") return start === 0 || parsed(text.slice(start)) === undefined ? "not JSON" : "not an object";
  const inside = skipSpace(text, start + 1);
  return close < 0 && (inside >= text.length || text[inside] === '"') ? "cut off" : "not JSON";
}

/** Position after the object that begins at `start`, ignoring braces within strings; −1 if it does not end. */
export function objectEnd(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) {
      i = closingQuote(text, i);
      if (i < 0) return -1;
    } else if (unit === OPEN) depth += 1;
    else if (unit === CLOSE) {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  return -1;
}

/** Position after the value that begins at `start`; −1 if it is an object or a list that does not end. Does not check what is inside. */
export function valueEnd(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return closingQuote(text, start) + 1;
  if (first === OPEN) return objectEnd(text, start);
  if (first === OPEN_LIST) return listEnd(text, start);
  let at = start;
  while (at < text.length && !ENDS_PLAIN.test(text.charAt(at))) at += 1;
  return at;
}

/** What can follow a number, `true`, `false` or `null`. */
const ENDS_PLAIN = /[\s,\]}]/;

function listEnd(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) {
      i = closingQuote(text, i);
      if (i < 0) return -1;
    } else if (unit === OPEN_LIST) depth += 1;
    else if (unit === CLOSE_LIST) {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  return -1;
}

const QUOTE = 0x22;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Stands for a value that is nested too deeply to be accepted. */
const TOO_DEEP = Symbol("too deep");

/** The JSON value of a text; `undefined` if it is not JSON. */
function parsed(text: string): unknown {
  if (!BEGINS_JSON.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    // Text that is not JSON is expected here: the caller says which damage it is.
    return error instanceof NestingError ? TOO_DEEP : undefined;
  }
}

function isBlank(text: string, from: number): boolean {
  return skipSpace(text, from) >= text.length;
}

function skipSpace(text: string, from: number): number {
  let i = from;
  while (i < text.length && isSpace(text.charCodeAt(i))) i += 1;
  return i;
}

/** Space, tab, line feed, vertical tab, form feed, carriage return. */
function isSpace(unit: number): boolean {
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
}

function damageOf(raw: RawLine, reason: DamageReason): Damage {
  return { line: raw.line, bytes: raw.length, reason };
}

export interface LineSplitterOptions {
  /** Decodes the UTF-8 bytes of one whole line; bad bytes become U+FFFD. The bytes are valid only during the call. */
  readonly decode: (bytes: Uint8Array) => string;
  /**
   * Decodes bytes that are all ASCII; `undefined` for other bytes. It takes many lines at once, and each line is then a cheap slice. Without it every
   * line is decoded by itself; the lines are the same.
   */
  readonly decodeAscii?: (bytes: Uint8Array) => string | undefined;
  /** Longer lines are not held, but reported to `onTooLong`. */
  readonly maxLineBytes: Bytes;
  readonly onLine: (line: RawLine) => void;
  readonly onTooLong: (damage: Damage) => void;
  /** Where the first chunk starts when reading continues after what was read before; this is always the start of a line. */
  readonly from?: { readonly line: LineNumber; readonly offset: Bytes };
}

const LF = 0x0a;
const CR = 0x0d;
/** How many bytes are decoded at once: few enough that a single non-ASCII character spoils little. */
const BLOCK_BYTES = 1 << 16;

/**
 * Cuts bytes into lines, whatever the chunking. A last line without an end is a line too. Holds at most one line, and only the length of a line above
 * the limit. The caller may reuse chunks after `push`.
 */
export class LineSplitter {
  readonly #options: LineSplitterOptions;
  #line: LineNumber;
  /** Where the current line starts. */
  #offset: Bytes;
  /** Earlier pieces of the current line, as long as it is short enough. */
  #pieces: Uint8Array[] = [];
  /** Length of the current line's pieces, including those that were dropped. */
  #held: Bytes = 0;
  #endsInCr = false;

  constructor(options: LineSplitterOptions) {
    this.#options = options;
    this.#line = options.from?.line ?? 1;
    this.#offset = options.from?.offset ?? 0;
  }

  /** Takes the next bytes of the file. */
  push(chunk: Uint8Array): void {
    const first = this.#held > 0 ? chunk.indexOf(LF) : -1;
    let start = first + 1;
    if (first >= 0) this.#finish(chunk.subarray(0, first), 1);
    else if (this.#held > 0) start = 0;
    while (this.#held === 0 && start < chunk.length) {
      const end = blockEnd(chunk, start);
      if (end < 0) break;
      this.#lines(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  /** Cuts a block of whole lines; the end of the last line is not part of it. */
  #lines(block: Uint8Array): void {
    const text = this.#options.decodeAscii?.(block);
    if (text === undefined) this.#linesOfBytes(block);
    else this.#linesOfAscii(text);
  }

  #linesOfBytes(block: Uint8Array): void {
    let start = 0;
    for (let end = block.indexOf(LF); end >= 0; end = block.indexOf(LF, start)) {
      this.#finish(block.subarray(start, end), 1);
      start = end + 1;
    }
    this.#finish(block.subarray(start), 1);
  }

  #linesOfAscii(text: string): void {
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      this.#asciiLine(text, start, end);
      start = end + 1;
    }
    this.#asciiLine(text, start, text.length);
  }

  #asciiLine(text: string, start: number, end: number): void {
    const length = end > start && text.charCodeAt(end - 1) === CR ? end - start - 1 : end - start;
    const line = this.#line;
    const offset = this.#offset;
    this.#offset += end - start + 1;
    this.#line += 1;
    if (length > this.#options.maxLineBytes) this.#options.onTooLong({ line, bytes: length, reason: "too long" });
    else this.#options.onLine({ line, offset, length, text: text.slice(start, start + length) });
  }

  /** The file ends here, for now: the rest is its last line. If the file grows after all, that line is reported again, whole. */
  end(): void {
    if (this.#held > 0) this.#emit(EMPTY, this.#endsInCr ? this.#held - 1 : this.#held);
  }

  #hold(part: Uint8Array): void {
    this.#held += part.length;
    this.#endsInCr = part[part.length - 1] === CR;
    // One byte more than the limit is allowed, since it may be the CR of the line's end.
    if (this.#held > this.#options.maxLineBytes + 1 + BOM.length) this.#pieces = [];
    // This copies any kind of bytes; `slice` of a Node buffer would not copy.
    else this.#pieces.push(new Uint8Array(part));
  }

  #finish(last: Uint8Array, endLength: Bytes): void {
    const whole = this.#held + last.length;
    const endsInCr = last.length > 0 ? last[last.length - 1] === CR : this.#endsInCr;
    // A CR at the end of the file is the first half of a CR LF that was cut, and never part of a record.
    const length = endsInCr ? whole - 1 : whole;
    this.#emit(last, length);
    this.#offset += whole + endLength;
    this.#line += 1;
    this.#pieces = [];
    this.#held = 0;
    this.#endsInCr = false;
  }

  #emit(last: Uint8Array, length: Bytes): void {
    const dropped = this.#held > 0 && this.#pieces.length === 0;
    const bytes = dropped ? EMPTY : firstBytes(joined(this.#pieces, last), length);
    const mark = this.#offset === 0 && startsWithBom(bytes) ? BOM.length : 0;
    if (dropped || length - mark > this.#options.maxLineBytes) {
      this.#options.onTooLong({ line: this.#line, bytes: length - mark, reason: "too long" });
      return;
    }
    const text = length === mark ? "" : this.#options.decode(mark === 0 ? bytes : bytes.subarray(mark));
    this.#options.onLine({ line: this.#line, offset: this.#offset + mark, length: length - mark, text });
  }
}

/** Where the last line ends that is taken at once; −1 if no line ends any more. */
function blockEnd(chunk: Uint8Array, start: number): number {
  const end = chunk.lastIndexOf(LF, start + BLOCK_BYTES);
  return end >= start ? end : chunk.indexOf(LF, start);
}

/** Returns the bytes themselves if there are no more: a view costs as much as parsing a short line. */
function firstBytes(bytes: Uint8Array, length: number): Uint8Array {
  return bytes.length === length ? bytes : bytes.subarray(0, length);
}

const EMPTY = new Uint8Array(0);
const BOM = [0xef, 0xbb, 0xbf] as const;

function startsWithBom(bytes: Uint8Array): boolean {
  return BOM.every((byte, index) => bytes[index] === byte);
}

function joined(pieces: readonly Uint8Array[], last: Uint8Array): Uint8Array {
  if (pieces.length === 0) return last;
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, last.length));
  let at = 0;
  for (const piece of [...pieces, last]) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
