/**
 * Character classes of the split patterns, one bit each. The running engine's own `\p{…}` and `\s` decide the class. The classes of a page of 256
 * code points are computed on first use, so they agree with a regular expression of the same engine in every Unicode version.
 */
import { byteAt } from "./arrays";

/** `\p{Lu}` or `\p{Lt}`. */
export const UPPER = 1;
/** `\p{Ll}`. */
export const LOWER = 2;
/** `\p{Lm}` or `\p{Lo}`: letters that may be on either side of a change of case. */
export const CASELESS = 4;
/** `\p{M}`: not a letter, yet part of a word in o200k. */
export const MARK = 8;
/** `\p{N}`. */
export const NUMBER = 16;
/** `\s` except line ends. */
export const SPACE = 32;
/** `\r` or `\n`. */
export const NEWLINE = 64;
/** Everything else: punctuation, symbols, control characters, unassigned code points. */
export const OTHER = 128;

/** `\p{L}`. */
export const LETTER = UPPER | LOWER | CASELESS;

const TESTS: readonly (readonly [RegExp, number])[] = [
  [/[\p{Lm}\p{Lo}]/u, CASELESS],
  [/\p{Ll}/u, LOWER],
  [/[\p{Lu}\p{Lt}]/u, UPPER],
  [/\p{M}/u, MARK],
  [/\p{N}/u, NUMBER],
  [/[\r\n]/u, NEWLINE],
  [/\s/u, SPACE],
];

const PAGE = 256;
/** Class of each code point; 0 if its page is not computed yet, so no character's class is 0. */
const table = new Uint8Array(0x110000);

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  for (const [pattern, bit] of TESTS) if (pattern.test(character)) return bit;
  return OTHER;
}

function fillPage(codePoint: number): void {
  const first = codePoint - (codePoint % PAGE);
  for (let i = first; i < first + PAGE; i++) table[i] = classify(i);
}

fillPage(0);

/** Returns the class of a code point below 256, whose page is always computed. */
export function asciiClassOf(codePoint: number): number {
  return byteAt(table, codePoint);
}

/** Returns the class of a code point: exactly one of the bits above. */
export function classOf(codePoint: number): number {
  if (byteAt(table, codePoint) === 0) fillPage(codePoint);
  return byteAt(table, codePoint);
}
