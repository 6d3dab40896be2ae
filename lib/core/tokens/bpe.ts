/**
 * Exact token counts of o200k_base and cl100k_base. The scanner splits the text into pieces. A piece that is a token counts as one; the merger builds
 * any other piece from its bytes. The text of a special token such as `<|endoftext|>` counts as ordinary text, as it does in a message to a provider.
 */
import { assertDefined } from "../base/assert";
import type { Tokens } from "../base/units";
import { intAt } from "./arrays";
import { hashOf } from "./hash";
import { createMerger, type Merger, mergePiece, rankOf, shrinkMerger } from "./merge";
import { CL100K_PATTERN, cl100kPieceEnd, O200K_PATTERN, o200kPieceEnd, type PieceEnd } from "./scanner";
import { ABSENT, type BpeTable, readVocabulary, type Vocabulary } from "./vocabulary";
import { createWindow, fillWindow, shrinkWindow, type TextWindow, windowEnd } from "./window";

/** Counter and encoder of one encoding. Not reentrant: do not call it while a call is running. */
export interface Bpe {
  /** Returns the number of tokens without creating them. */
  count(text: string): Tokens;
  /** Returns the tokens' ids. */
  encode(text: string): number[];
  /** Returns the same encoding with an empty cache. Both share the table. */
  fresh(): Bpe;
  /** Merge steps so far. Tests use it to check that the work is linear. */
  readonly steps: number;
}

interface State {
  readonly vocabulary: Vocabulary;
  readonly pieceEnd: PieceEnd;
  readonly window: TextWindow;
  readonly merger: Merger;
  readonly cache: PieceCache;
}

const SCANNERS: ReadonlyMap<string, PieceEnd> = new Map([
  [O200K_PATTERN, o200kPieceEnd],
  [CL100K_PATTERN, cl100kPieceEnd],
]);

/** Reads an encoding's table. Throws if no scanner implements its split pattern. */
export function createBpe(table: BpeTable): Bpe {
  const pieceEnd = assertDefined(SCANNERS.get(table.pat_str), `a scanner for the split pattern ${table.pat_str}`);
  return bpeOf(readVocabulary(table.bpe_ranks), pieceEnd);
}

function bpeOf(vocabulary: Vocabulary, pieceEnd: PieceEnd): Bpe {
  const state: State = {
    vocabulary,
    pieceEnd,
    window: createWindow(),
    merger: createMerger(),
    cache: createPieceCache(),
  };
  return {
    count: (text) => countText(state, text),
    encode: (text) => encodeText(state, text),
    fresh: () => bpeOf(vocabulary, pieceEnd),
    get steps() {
      return state.merger.steps;
    },
  };
}

function countText(state: State, text: string): Tokens {
  let count = 0;
  for (let from = 0; from < text.length; ) {
    const to = windowEnd(text, from);
    fillWindow(state.window, text, from, to);
    count += countWindow(state);
    from = to;
  }
  shrink(state);
  return count;
}

function countWindow(state: State): number {
  const { window, pieceEnd } = state;
  const { bytes, classes, length } = window;
  let count = 0;
  for (let start = 0; start < length; ) {
    const end = pieceEnd(classes, bytes, start);
    count += end - start === 1 ? 1 : countPiece(state, start, end);
    start = end;
  }
  return count;
}

function countPiece(state: State, start: number, end: number): number {
  if (end - start > LONGEST_CACHED) return countUncached(state, start, end);
  const { cache, window } = state;
  const hash = hashOf(window.hashes, start, end);
  const known = cachedCount(cache, window.view, start, end - start, hash);
  if (known > 0) return known;
  const count = countUncached(state, start, end);
  cacheCount(cache, window.view, start, end - start, hash, count);
  return count;
}

function countUncached({ vocabulary, merger, window }: State, start: number, end: number): number {
  return rankOf(vocabulary, window, start, end) === ABSENT ? mergePiece(merger, vocabulary, window, start, end) : 1;
}

function encodeText(state: State, text: string): number[] {
  const { window, pieceEnd } = state;
  const ids: number[] = [];
  for (let from = 0; from < text.length; ) {
    const to = windowEnd(text, from);
    fillWindow(window, text, from, to);
    for (let start = 0; start < window.length; ) {
      const end = pieceEnd(window.classes, window.bytes, start);
      encodePiece(state, start, end, ids);
      start = end;
    }
    from = to;
  }
  shrink(state);
  return ids;
}

function encodePiece({ vocabulary, merger, window }: State, start: number, end: number, ids: number[]): void {
  const whole = rankOf(vocabulary, window, start, end);
  if (whole !== ABSENT) {
    ids.push(whole);
    return;
  }
  const parts = mergePiece(merger, vocabulary, window, start, end);
  for (let i = 0; i < parts; i++) {
    ids.push(rankOf(vocabulary, window, intAt(merger.starts, i), intAt(merger.starts, i + 1)));
  }
}

function shrink(state: State): void {
  shrinkWindow(state.window);
  shrinkMerger(state.merger);
}

/**
 * Cache of token counts by piece. A piece's hash chooses its slot, and a new piece overwrites the old one. So the cache needs no eviction and never
 * grows, and frequent words soon get their slot back. A slot is half a cache line of the processor: the hash, the count with the length, and the
 * bytes. The bytes are compared, so that a hit is never another piece's.
 */
/** Counts by slot, with the pieces' bytes as words: four bytes of a piece are compared at a time. */
interface PieceCache {
  readonly words: Int32Array;
}

/** Maximum length in bytes of a cached piece. */
export const LONGEST_CACHED = 24;
const SLOTS = 2 ** 15;
/** Words per slot: the hash, the count · 256 + the length in bytes, and the bytes. The rest of the last word is zero. */
const SLOT_WORDS = 2 + LONGEST_CACHED / 4;

export function createPieceCache(): PieceCache {
  return { words: new Int32Array(SLOTS * SLOT_WORDS) };
}

function slotOf(hash: number): number {
  return (Math.imul(hash ^ (hash >>> 16), 0x45d9f3b) >>> 17) * SLOT_WORDS;
}

/** Mask for the last `bytes` bytes of a piece in a word, if those are fewer than four. */
function maskOf(bytes: number): number {
  return (1 << (bytes * 8)) - 1;
}

/** Returns the count of the piece of `length` bytes at `start`, or 0 if it is not cached. Four bytes after the text must exist. */
export function cachedCount(
  { words }: PieceCache,
  text: DataView,
  start: number,
  length: number,
  hash: number,
): number {
  const slot = slotOf(hash);
  const entry = intAt(words, slot + 1);
  if (intAt(words, slot) !== hash || (entry & 0xff) !== length) return 0;
  let word = slot + 2;
  let at = start;
  for (let left = length; left > 0; left -= 4) {
    const mask = left < 4 ? maskOf(left) : -1;
    if (intAt(words, word++) !== (text.getInt32(at, true) & mask)) return 0;
    at += 4;
  }
  return entry >> 8;
}

/** Caches the count of a piece of at most LONGEST_CACHED bytes. */
export function cacheCount(
  { words }: PieceCache,
  text: DataView,
  start: number,
  length: number,
  hash: number,
  count: number,
): void {
  const slot = slotOf(hash);
  words[slot] = hash;
  words[slot + 1] = (count << 8) | length;
  for (let i = 0; i < length; i += 4) {
    const mask = length - i < 4 ? maskOf(length - i) : -1;
    words[slot + 2 + (i >> 2)] = text.getInt32(start + i, true) & mask;
  }
}
