/**
 * Part of a text as UTF-8 bytes, with the class of each byte's character. The scanner, the tables and the merge work on bytes; only this file handles
 * UTF-16. A lone surrogate becomes U+FFFD.
 */
import { byteAt } from "./arrays";
import { asciiClassOf, classOf, LETTER, MARK, NUMBER } from "./classes";
import { extendHash } from "./hash";

/** Bytes and classes of the text, both followed by zeros, which end every run of characters. */
export interface TextWindow {
  bytes: Uint8Array;
  /** View of the same bytes. */
  view: DataView;
  classes: Uint8Array;
  /** Hash of all bytes before each index; at the end the hash of all bytes. */
  hashes: Int32Array;
  length: number;
}

/** UTF-16 units per window, if the text can be split there: few enough for the processor's cache. */
const WINDOW_UNITS = 16_384;
/** Bytes after the end that the scanner may read. */
const PADDING = 4;
const REPLACEMENT = 0xfffd;
const APOSTROPHE = 0x27;

export function createWindow(): TextWindow {
  return { ...allocate(WINDOW_UNITS * 3), length: 0 };
}

function allocate(capacity: number): Omit<TextWindow, "length"> {
  const bytes = new Uint8Array(capacity + PADDING);
  return {
    bytes,
    view: new DataView(bytes.buffer),
    classes: new Uint8Array(capacity + PADDING),
    hashes: new Int32Array(capacity + PADDING),
  };
}

/** Releases the memory that an unusually long text took. */
export function shrinkWindow(window: TextWindow): void {
  if (window.bytes.length > WINDOW_UNITS * 3 + PADDING) Object.assign(window, allocate(WINDOW_UNITS * 3));
}

/**
 * End of the window that starts at `from`: the text's end, or a position at which every split pattern splits, whatever comes before and after. Such a
 * position follows a letter or number and precedes a character that is neither of these, nor a mark, nor an apostrophe (which may open a
 * contraction).
 */
export function windowEnd(text: string, from: number): number {
  const target = from + WINDOW_UNITS;
  if (target >= text.length) return text.length;
  for (let i = target; i > from; i--) if (isCut(text, i)) return i;
  for (let i = target + 1; i < text.length; i++) if (isCut(text, i)) return i;
  return text.length;
}

function isCut(text: string, at: number): boolean {
  const after = text.charCodeAt(at);
  if (after === APOSTROPHE || isSurrogate(after)) return false;
  const before = text.charCodeAt(at - 1);
  if (isSurrogate(before)) return false;
  return (classOf(after) & (LETTER | NUMBER | MARK)) === 0 && (classOf(before) & (LETTER | NUMBER)) !== 0;
}

function isSurrogate(unit: number): boolean {
  return (unit & 0xf800) === 0xd800;
}

/** Fills the window with the text's units from `from` up to `to`. */
export function fillWindow(window: TextWindow, text: string, from: number, to: number): void {
  const capacity = (to - from) * 3;
  if (window.bytes.length < capacity + PADDING) Object.assign(window, allocate(capacity));
  const { bytes, classes, hashes } = window;
  let length = 0;
  for (let i = from; i < to; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      bytes[length] = unit;
      classes[length++] = asciiClassOf(unit);
    } else if (unit < 0x800) {
      length = putTwo(bytes, classes, length, unit);
    } else if (!isSurrogate(unit)) {
      length = putThree(bytes, classes, length, unit);
    } else {
      const point = codePointAt(text, i, to);
      if (point === REPLACEMENT) length = putThree(bytes, classes, length, point);
      else {
        length = putFour(bytes, classes, length, point);
        i++;
      }
    }
  }
  window.length = length;
  hashPrefixes(hashes, bytes, length);
  bytes.fill(0, length, length + PADDING);
  classes.fill(0, length, length + PADDING);
}

function hashPrefixes(hashes: Int32Array, bytes: Uint8Array, length: number): void {
  let hash = 0;
  for (let i = 0; i < length; i++) {
    hash = extendHash(hash, byteAt(bytes, i));
    hashes[i + 1] = hash;
  }
}

/** Code point of the surrogate pair at `at`, or U+FFFD if the surrogate has no other half. */
function codePointAt(text: string, at: number, end: number): number {
  const high = text.charCodeAt(at);
  const low = at + 1 < end ? text.charCodeAt(at + 1) : 0;
  if (high >= 0xdc00 || (low & 0xfc00) !== 0xdc00) return REPLACEMENT;
  return ((high - 0xd800) << 10) + (low - 0xdc00) + 0x10000;
}

function putTwo(bytes: Uint8Array, classes: Uint8Array, at: number, point: number): number {
  const bit = classOf(point);
  bytes[at] = 0xc0 | (point >> 6);
  bytes[at + 1] = 0x80 | (point & 0x3f);
  classes[at] = bit;
  classes[at + 1] = bit;
  return at + 2;
}

function putThree(bytes: Uint8Array, classes: Uint8Array, at: number, point: number): number {
  const bit = classOf(point);
  bytes[at] = 0xe0 | (point >> 12);
  bytes[at + 1] = 0x80 | ((point >> 6) & 0x3f);
  bytes[at + 2] = 0x80 | (point & 0x3f);
  classes[at] = bit;
  classes[at + 1] = bit;
  classes[at + 2] = bit;
  return at + 3;
}

function putFour(bytes: Uint8Array, classes: Uint8Array, at: number, point: number): number {
  const bit = classOf(point);
  bytes[at] = 0xf0 | (point >> 18);
  bytes[at + 1] = 0x80 | ((point >> 12) & 0x3f);
  bytes[at + 2] = 0x80 | ((point >> 6) & 0x3f);
  bytes[at + 3] = 0x80 | (point & 0x3f);
  classes.fill(bit, at, at + 4);
  return at + 4;
}
