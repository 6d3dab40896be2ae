/**
 * Token counts of pieces seen before. Every piece has one place, chosen by its hash, and takes it from whoever was there: nothing to evict,
 * never larger, and words that come often win their place back. A place is half a line of the processor's cache: the hash, the count with
 * the length, and the bytes, which are compared, so that a hit is never another piece's.
 */
import { byteAt, intAt } from "./arrays";

export interface PieceCache {
  readonly words: Int32Array;
  /** The same memory. */
  readonly bytes: Uint8Array;
}

/** The longest piece in bytes that is kept. */
export const LONGEST_CACHED = 24;
const PLACES = 2 ** 15;
const PLACE_BYTES = 32;
const KEY_OFFSET = PLACE_BYTES - LONGEST_CACHED;

/** An empty cache. */
export function createPieceCache(): PieceCache {
  const memory = new ArrayBuffer(PLACES * PLACE_BYTES);
  return { words: new Int32Array(memory), bytes: new Uint8Array(memory) };
}

function placeOf(hash: number): number {
  return Math.imul(hash ^ (hash >>> 16), 0x45d9f3b) >>> 17;
}

/** The count of the piece from `start` to `end`, or 0 where it is not here. */
export function cachedCount(cache: PieceCache, bytes: Uint8Array, start: number, end: number, hash: number): number {
  const place = placeOf(hash);
  const word = place * (PLACE_BYTES / 4);
  if (intAt(cache.words, word) !== hash) return 0;
  const entry = intAt(cache.words, word + 1);
  if ((entry & 0xff) !== end - start) return 0;
  const offset = place * PLACE_BYTES + KEY_OFFSET - start;
  for (let i = start; i < end; i++) if (byteAt(cache.bytes, offset + i) !== byteAt(bytes, i)) return 0;
  return entry >> 8;
}

/** Keeps the count of a piece of at most LONGEST_CACHED bytes. */
export function cacheCount(
  cache: PieceCache,
  bytes: Uint8Array,
  start: number,
  end: number,
  hash: number,
  count: number,
): void {
  const place = placeOf(hash);
  const word = place * (PLACE_BYTES / 4);
  const offset = place * PLACE_BYTES + KEY_OFFSET - start;
  for (let i = start; i < end; i++) cache.bytes[offset + i] = byteAt(bytes, i);
  cache.words[word] = hash;
  cache.words[word + 1] = (count << 8) | (end - start);
}
