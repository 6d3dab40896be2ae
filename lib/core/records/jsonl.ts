import { utf8Length } from "../base/characters";
import type { Bytes, LineNumber } from "../base/units";
import type { SourceRecord } from "../records/fields";
import { isObject } from "./fields";
import { RecordKinds, recordAfter, scanObject } from "./intact-record";
import { CLOSE, OPEN, objectEnd, parsed, skipSpace, TOO_DEEP } from "./json-text";
import type { Damage, DamageReason } from "./problem";

/**
 * Lines of a JSONL file and the JSON objects in them, counted as in docs/interfaces.md, "How inspect counts". No I/O: the caller passes bytes and a
 * decoder.
 */

/** One line of the file, without its end (LF or CR LF) and without the byte order mark at the file's start. */
export interface RawLine {
  readonly line: LineNumber;
  readonly offset: Bytes;
  readonly length: Bytes;
  readonly text: string;
}

/** Records and damage of one line. */
interface LineResult {
  /** Complete JSON objects, in order; several where records were glued together without a line end. */
  readonly records: readonly SourceRecord[];
  /** Present if the line, or its rest after those objects, is not a record. */
  readonly damage?: Damage;
}

const NOTHING: LineResult = { records: [] };

/**
 * Returns the JSON objects of one line. A blank line has none. A good line costs one `JSON.parse`. Damage loses only the record that contains it,
 * never an intact record on the same line.
 * @param bytes the line's bytes if their offsets differ from the text's: invalid UTF-8 decodes to U+FFFD, which has another length
 * @param kinds learns from every record; without it, each line is read independently
 */
export function recordsOfLine(raw: RawLine, bytes?: Uint8Array, kinds = new RecordKinds()): LineResult {
  const value = parsed(raw.text);
  if (value === TOO_DEEP && raw.text.charCodeAt(skipSpace(raw.text, 0)) !== OPEN) {
    return { records: [], damage: damageOf(raw, "too deep") };
  }
  if (isObject(value)) {
    kinds.learn(value);
    return { records: [{ value, line: raw.line, offset: raw.offset, length: raw.length }] };
  }
  if (value !== undefined && value !== TOO_DEEP) return { records: [], damage: damageOf(raw, "not an object") };
  if (isBlank(raw.text, 0)) return NOTHING;
  return gluedRecords(raw, new ByteOffsets(raw.text, bytes), kinds);
}

/** Reads a line that is not one JSON value: consecutive objects, and objects after a break. */
function gluedRecords(raw: RawLine, offsets: ByteOffsets, kinds: RecordKinds): LineResult {
  const { text } = raw;
  const records: SourceRecord[] = [];
  let damage: Damage | undefined;
  let end = 0;
  while (!isBlank(text, end)) {
    const start = skipSpace(text, end);
    const scan = scanObject(text, start);
    const whole = scan.isWhole ? parsed(text.slice(start, scan.end)) : undefined;
    const found = isObject(whole) ? { start, end: scan.end, value: whole } : recordAfter(text, start, scan, kinds);
    if (found?.start !== start) damage ??= damageOf(raw, breakReason(text.slice(0, found?.start), start));
    if (found === undefined) break;
    kinds.learn(found.value);
    const offset = offsets.at(found.start);
    records.push({
      value: found.value,
      line: raw.line,
      offset: raw.offset + offset,
      length: offsets.at(found.end) - offset,
    });
    end = found.end;
  }
  return damage === undefined ? { records } : { records, damage };
}

/** Reason why reading stops at `start`, in the text up to the next record. */
function breakReason(text: string, start: number): DamageReason {
  // The caller parsed the whole line first, so the text from its beginning is not JSON.
  if (text[start] !== "{") return start === 0 || parsed(text.slice(start)) === undefined ? "not JSON" : "not an object";
  const close = objectEnd(text, start);
  if (close >= 0) return parsed(text.slice(start, close)) === TOO_DEEP ? "too deep" : "not JSON";
  const inside = skipSpace(text, start + 1);
  return inside >= text.length || text[inside] === '"' ? "cut off" : "not JSON";
}

/** Converts positions of brackets in a line's text to byte offsets. Positions must be passed in ascending order. */
class ByteOffsets {
  readonly #text: string;
  readonly #bytes: Uint8Array | undefined;
  #char = 0;
  #byte: Bytes = 0;

  constructor(text: string, bytes: Uint8Array | undefined) {
    this.#text = text;
    this.#bytes = bytes;
  }

  /** @param char position of an opening brace, or the position after a closing one */
  at(char: number): Bytes {
    this.#byte += this.#bytes === undefined ? utf8Length(this.#text.slice(this.#char, char)) : this.#walk(char);
    this.#char = char;
    return this.#byte;
  }

  /** Byte length up to a position. No byte of a multi-byte character is a brace, so bytes and text hold the same number of braces. */
  #walk(char: number): Bytes {
    const bytes = this.#bytes ?? new Uint8Array(0);
    const isBehind = this.#text.charCodeAt(char - 1) === CLOSE;
    const brace = isBehind ? CLOSE : OPEN;
    let at = this.#byte;
    for (let left = count(this.#text, brace, this.#char, isBehind ? char : char + 1); left > 0; left--) {
      at = bytes.indexOf(brace, at) + 1;
    }
    return (isBehind ? at : at - 1) - this.#byte;
  }
}

function count(text: string, unit: number, from: number, to: number): number {
  const sign = String.fromCharCode(unit);
  let found = 0;
  for (let at = text.indexOf(sign, from); at >= 0 && at < to; at = text.indexOf(sign, at + 1)) found += 1;
  return found;
}

function isBlank(text: string, from: number): boolean {
  return skipSpace(text, from) >= text.length;
}

function damageOf(raw: RawLine, reason: DamageReason): Damage {
  return { line: raw.line, bytes: raw.length, reason };
}

export interface LineSplitterOptions {
  /** Decodes the UTF-8 bytes of one whole line; bad bytes become U+FFFD. The bytes are valid only during the call. */
  readonly decode: (bytes: Uint8Array) => string;
  /**
   * Decodes bytes that are all ASCII; returns `undefined` for other bytes. It decodes many lines at once, so that each line is a cheap slice. Without
   * it, every line is decoded separately, with the same result.
   */
  readonly decodeAscii?: (bytes: Uint8Array) => string | undefined;
  /** Called for lines above `maxLineBytes`, which are not kept in memory. */
  readonly maxLineBytes: Bytes;
  /** Receives the line. Its bytes are passed unless the line is known to be ASCII, and are valid only during the call. */
  readonly onLine: (line: RawLine, bytes?: Uint8Array) => void;
  readonly onTooLong: (damage: Damage) => void;
  /** Start of the first chunk if reading continues after earlier bytes; always the start of a line. */
  readonly from?: { readonly line: LineNumber; readonly offset: Bytes };
}

const LF = 0x0a;
const CR = 0x0d;
/** Bytes decoded at once. The block is small, so that a single non-ASCII character slows little down. */
const BLOCK_BYTES = 1 << 16;

/**
 * Splits bytes into lines, with any chunking. A last line without a line end counts too. Holds at most one line in memory, and only the length of a
 * line above the limit. The caller may reuse chunks after `push`.
 */
export class LineSplitter {
  readonly #options: LineSplitterOptions;
  #line: LineNumber;
  /** Offset of the current line's start. */
  #offset: Bytes;
  /** Earlier pieces of the current line, unless it is too long. */
  #pieces: Uint8Array[] = [];
  /** Length of the current line's pieces, dropped pieces included. */
  #held: Bytes = 0;
  #endsInCr = false;

  constructor(options: LineSplitterOptions) {
    this.#options = options;
    this.#line = options.from?.line ?? 1;
    this.#offset = options.from?.offset ?? 0;
  }

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

  /** Splits a block of whole lines, without the end of the last line. */
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

  /** Emits the unfinished last line. If the file grows later, that line is reported again, whole. */
  end(): void {
    if (this.#held > 0) this.#emit(EMPTY, this.#endsInCr ? this.#held - 1 : this.#held);
  }

  #hold(part: Uint8Array): void {
    this.#held += part.length;
    this.#endsInCr = part[part.length - 1] === CR;
    // One byte above the limit is allowed, since it may be the CR of the line's end.
    if (this.#held > this.#options.maxLineBytes + 1 + BOM.length) this.#pieces = [];
    // The constructor copies any byte array; `slice` of a Node buffer would not copy.
    else this.#pieces.push(new Uint8Array(part));
  }

  #finish(last: Uint8Array, endLength: Bytes): void {
    const whole = this.#held + last.length;
    const endsInCr = last.length > 0 ? last[last.length - 1] === CR : this.#endsInCr;
    // A CR at the end of the file is the first half of a cut CR LF, and never part of a record.
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
    const content = mark === 0 ? bytes : bytes.subarray(mark);
    const text = length === mark ? "" : this.#options.decode(content);
    this.#options.onLine({ line: this.#line, offset: this.#offset + mark, length: length - mark, text }, content);
  }
}

/** End of the last line in the block that begins at `start`; −1 if no line ends there. */
function blockEnd(chunk: Uint8Array, start: number): number {
  const end = chunk.lastIndexOf(LF, start + BLOCK_BYTES);
  return end >= start ? end : chunk.indexOf(LF, start);
}

/** Returns the array itself if it has this length: a view costs as much as parsing a short line. */
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
