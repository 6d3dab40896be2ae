/**
 * Token counts of pieces seen before. Every piece has one place, chosen by its hash, and takes it from the piece that was there. So nothing needs to
 * be evicted, the cache never grows, and frequent words win their place back. A place is half a line of the processor's cache: the hash, the count
 * with the length, and the bytes. The bytes are compared, so that a hit is never another piece's.
 */
import { intAt } from "./arrays";

/** Counts by place, with the pieces' bytes as words: four bytes of a piece at a time are compared with four bytes of the text. */
export interface PieceCache {
  readonly words: Int32Array;
}

/** The longest piece that is kept, in bytes. */
export const LONGEST_CACHED = 24;
const PLACES = 2 ** 15;
/** Words of a place: the hash, the count · 256 + the length in bytes, and the bytes; the rest of the last word is zero. */
const PLACE_WORDS = 2 + LONGEST_CACHED / 4;

/** An empty cache. */
export function createPieceCache(): PieceCache {
  return { words: new Int32Array(PLACES * PLACE_WORDS) };
}

function placeOf(hash: number): number {
  return (Math.imul(hash ^ (hash >>> 16), 0x45d9f3b) >>> 17) * PLACE_WORDS;
}

/** The bits of a word that hold the last `bytes` bytes of a piece, when those are fewer than four. */
function maskOf(bytes: number): number {
  return (1 << (bytes * 8)) - 1;
}

/** The count of the piece of `length` bytes at `start`, or 0 where it is not cached. Four bytes after the text must exist. */
export function cachedCount(
  { words }: PieceCache,
  text: DataView,
  start: number,
  length: number,
  hash: number,
): number {
  const place = placeOf(hash);
  const entry = intAt(words, place + 1);
  if (intAt(words, place) !== hash || (entry & 0xff) !== length) return 0;
  let word = place + 2;
  let at = start;
  for (let left = length; left > 0; left -= 4) {
    const mask = left < 4 ? maskOf(left) : -1;
    if (intAt(words, word++) !== (text.getInt32(at, true) & mask)) return 0;
    at += 4;
  }
  return entry >> 8;
}

/** Keeps the count of a piece of at most LONGEST_CACHED bytes. */
export function cacheCount(
  { words }: PieceCache,
  text: DataView,
  start: number,
  length: number,
  hash: number,
  count: number,
): void {
  const place = placeOf(hash);
  words[place] = hash;
  words[place + 1] = (count << 8) | length;
  for (let i = 0; i < length; i += 4) {
    const mask = length - i < 4 ? maskOf(length - i) : -1;
    words[place + 2 + (i >> 2)] = text.getInt32(start + i, true) & mask;
  }
}
