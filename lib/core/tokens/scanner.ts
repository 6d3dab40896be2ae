/**
 * The split patterns of o200k_base and cl100k_base, written by hand. A function takes the classes and bytes of a window and the start of a piece, and
 * returns the end of the pattern's match. Every alternative reads each byte a bounded number of times, and returned characters are scanned again at
 * most twice. So no text makes a scan quadratic; a backtracking regular expression cannot guarantee that.
 *
 * A class is a bit, and all bytes of a character have its class, so a run of characters is a run of bytes. A zero ends the window.
 */
import { byteAt } from "./arrays";
import { CASELESS, LETTER, LOWER, MARK, NEWLINE, NUMBER, OTHER, SPACE, UPPER } from "./classes";

/** Finds the end of the piece that starts at `start`. */
export type PieceEnd = (classes: Uint8Array, bytes: Uint8Array, start: number) => number;

const CONTRACTION = "('s|'S|'t|'T|'re|'rE|'Re|'RE|'ve|'vE|'Ve|'VE|'m|'M|'ll|'lL|'Ll|'LL|'d|'D)";

/** Split pattern that `o200kPieceEnd` implements, as written in the tables. */
export const O200K_PATTERN = [
  `[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+${CONTRACTION}?`,
  `[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*${CONTRACTION}?`,
  "\\p{N}{1,3}",
  " ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*",
  "\\s*[\\r\\n]+",
  "\\s+(?!\\S)",
  "\\s+",
].join("|");

/** Split pattern that `cl100kPieceEnd` implements, as written in the tables. */
export const CL100K_PATTERN = [
  CONTRACTION,
  "[^\\r\\n\\p{L}\\p{N}]?\\p{L}+",
  "\\p{N}{1,3}",
  " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*",
  "\\s*[\\r\\n]+",
  "\\s+(?!\\S)",
  "\\s+",
].join("|");

const BLANK = 0x20;
const SLASH = 0x2f;
const APOSTROPHE = 0x27;
const WORD = LETTER | MARK;
const WHITESPACE = SPACE | NEWLINE;
const SYMBOL = OTHER | MARK;

/** o200k_base: words end at a change of case, include one character before and a contraction after, and may contain marks. */
export const o200kPieceEnd: PieceEnd = (classes, bytes, start) => {
  const first = byteAt(classes, start);
  if (first & LETTER) return contractionEnd(bytes, casedEnd(classes, start));
  if (first & NUMBER) return numberEnd(classes, bytes, start);
  if (first & NEWLINE) return whitespaceEnd(classes, bytes, start);
  const next = start + width(byteAt(bytes, start));
  if (byteAt(classes, next) & WORD) {
    const end = casedEnd(classes, next);
    // A mark before capitals is a word of its own, not the leading character of the next word.
    return first & MARK && byteAt(classes, end - 1) & UPPER ? next : contractionEnd(bytes, end);
  }
  if (first & MARK) return contractionEnd(bytes, next);
  if (first & OTHER) return slashesEnd(classes, bytes, runEnd(classes, next, SYMBOL));
  if (isBlankBeforeSymbol(classes, bytes, start, OTHER))
    return slashesEnd(classes, bytes, runEnd(classes, next, SYMBOL));
  return whitespaceEnd(classes, bytes, start);
};

/** cl100k_base: words are letters with one character before; contractions are pieces of their own; marks are symbols. */
export const cl100kPieceEnd: PieceEnd = (classes, bytes, start) => {
  const first = byteAt(classes, start);
  if (first & LETTER) return runEnd(classes, start, LETTER);
  if (first & NUMBER) return numberEnd(classes, bytes, start);
  if (first & NEWLINE) return whitespaceEnd(classes, bytes, start);
  const contracted = contractionEnd(bytes, start);
  if (contracted > start) return contracted;
  const next = start + width(byteAt(bytes, start));
  if (byteAt(classes, next) & LETTER) return runEnd(classes, next, LETTER);
  if (first & SYMBOL) return runEnd(classes, runEnd(classes, next, SYMBOL), NEWLINE);
  if (isBlankBeforeSymbol(classes, bytes, start, SYMBOL))
    return runEnd(classes, runEnd(classes, next, SYMBOL), NEWLINE);
  return whitespaceEnd(classes, bytes, start);
};

function isBlankBeforeSymbol(classes: Uint8Array, bytes: Uint8Array, start: number, symbol: number): boolean {
  return byteAt(bytes, start) === BLANK && (byteAt(classes, start + 1) & symbol) !== 0;
}

function runEnd(classes: Uint8Array, start: number, mask: number): number {
  let i = start;
  while (byteAt(classes, i) & mask) i++;
  return i;
}

/**
 * `[upper]*[lower]+`, else `[upper]+[lower]*`; caseless letters and marks match both. If no lower-case letter follows the first run, the first
 * alternative backtracks over capitals until a caseless character can be its `[lower]+`. If there is none, the second alternative takes all.
 */
function casedEnd(classes: Uint8Array, start: number): number {
  const end = runEnd(classes, start, UPPER | CASELESS | MARK);
  if (byteAt(classes, end) & LOWER) return runEnd(classes, end, LOWER | CASELESS | MARK);
  let caseless = end;
  while (caseless > start && byteAt(classes, caseless - 1) & UPPER) caseless--;
  return caseless > start ? caseless : end;
}

/** End of one to three number characters, which may have several bytes each. */
function numberEnd(classes: Uint8Array, bytes: Uint8Array, start: number): number {
  let i = start;
  for (let count = 0; count < 3 && byteAt(classes, i) & NUMBER; count++) i += width(byteAt(bytes, i));
  return i;
}

function slashesEnd(classes: Uint8Array, bytes: Uint8Array, start: number): number {
  let i = start;
  while (byteAt(classes, i) & NEWLINE || byteAt(bytes, i) === SLASH) i++;
  return i;
}

/** `\s*[\r\n]+`: up to the last line end of the run; else `\s+(?!\S)`: all but the last, which belongs to the next word; else all. */
function whitespaceEnd(classes: Uint8Array, bytes: Uint8Array, start: number): number {
  const end = runEnd(classes, start, WHITESPACE);
  let i = end;
  while (i > start && !(byteAt(classes, i - 1) & NEWLINE)) i--;
  if (i > start || byteAt(classes, end) === 0) return i > start ? i : end;
  let last = end - 1;
  while ((byteAt(bytes, last) & 0xc0) === 0x80) last--;
  return last > start ? last : end;
}

/** Position after the contraction at `at` ('s 't 're 've 'm 'll 'd, in either case), or `at` if there is none. */
function contractionEnd(bytes: Uint8Array, at: number): number {
  if (byteAt(bytes, at) !== APOSTROPHE) return at;
  const first = byteAt(bytes, at + 1) | 0x20;
  if (first === 0x73 || first === 0x74 || first === 0x6d || first === 0x64) return at + 2;
  const second = byteAt(bytes, at + 2) | 0x20;
  if (first === 0x6c) return second === 0x6c ? at + 3 : at;
  return (first === 0x72 || first === 0x76) && second === 0x65 ? at + 3 : at;
}

/** Number of bytes of the character that begins with this byte. */
function width(lead: number): number {
  return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}
