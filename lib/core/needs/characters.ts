/** What a character is, as bits. */
export const CHARACTER = { word: 1, lower: 2, upper: 4, path: 8, underscore: 16 } as const;

/** Marks a character that was looked at. */
const KNOWN = 128;
/** Bits of the characters of one unit, each found out when it is first met: asking Unicode's tables for every character of a text takes most of the time. */
const OF_UNIT = new Uint8Array(0x10000);

/**
 * Visits the longest runs of characters that have a bit, from the left: where each begins and ends in UTF-16 units, its length in characters, and the bits that
 * any of its characters has.
 */
export function eachRun(
  text: string,
  bit: number,
  visit: (start: number, end: number, length: number, bits: number) => void,
): void {
  let start = -1;
  let length = 0;
  let bits = 0;
  for (let at = 0, width = 1; at < text.length; at += width) {
    const unit = text.charCodeAt(at);
    width = 1;
    let own = OF_UNIT[unit] ?? 0;
    if (own === 0) {
      const character = text.codePointAt(at) ?? unit;
      width = character < 0x10000 ? 1 : 2;
      own = bitsOf(character);
    }
    if ((own & bit) !== 0) {
      if (start < 0) [start, length, bits] = [at, 0, 0];
      length += 1;
      bits |= own;
    } else if (start >= 0) {
      visit(start, at, length, bits);
      start = -1;
    }
  }
  if (start >= 0) visit(start, text.length, length, bits);
}

/** Where the run of characters that have a bit ends which goes on at a place. */
export function runEnd(text: string, bit: number, from: number): number {
  let at = from;
  while (at < text.length) {
    const known = OF_UNIT[text.charCodeAt(at)] ?? 0;
    const character = known === 0 ? (text.codePointAt(at) ?? 0) : 0;
    if (((known || bitsOf(character)) & bit) === 0) break;
    at += character < 0x10000 ? 1 : 2;
  }
  return at;
}

/** Where the run of characters that have a bit begins which goes on up to a place. */
export function runStart(text: string, bit: number, to: number): number {
  let at = to;
  while (at > 0) {
    const known = OF_UNIT[text.charCodeAt(at - 1)] ?? 0;
    const character = known === 0 ? characterBefore(text, at) : 0;
    if (((known || bitsOf(character)) & bit) === 0) break;
    at -= character < 0x10000 ? 1 : 2;
  }
  return at;
}

function characterBefore(text: string, at: number): number {
  const pair = text.codePointAt(at - 2) ?? 0;
  return pair < 0x10000 ? text.charCodeAt(at - 1) : pair;
}

/** A surrogate is never noted, since what it stands for depends on its other half. */
function bitsOf(character: number): number {
  const bits = lookedUp(String.fromCodePoint(character));
  if (character < OF_UNIT.length && !isSurrogate(character)) OF_UNIT[character] = bits;
  return bits;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

function lookedUp(character: string): number {
  const isLetterOrDigit = /[\p{L}\p{N}_]/u.test(character);
  return (
    KNOWN |
    (isLetterOrDigit ? CHARACTER.word | CHARACTER.path : 0) |
    (/\p{Ll}/u.test(character) ? CHARACTER.lower : 0) |
    (/\p{Lu}/u.test(character) ? CHARACTER.upper : 0) |
    (/[.~@+%/-]/.test(character) ? CHARACTER.path : 0) |
    (character === "_" ? CHARACTER.underscore : 0)
  );
}
