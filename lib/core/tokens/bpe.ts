/**
 * Exact token counts of o200k_base and cl100k_base. The text is split into pieces (scanner). A piece that is a token counts as one; any other is
 * merged from its bytes (merge). The text of a special token such as `<|endoftext|>` is ordinary text here, as it is to a model's provider when it
 * stands in a message.
 */
import { assertDefined } from "../base/assert";
import type { Tokens } from "../base/units";
import { intAt } from "./arrays";
import { hashOf } from "./hash";
import { createMerger, type Merger, mergePiece, rankOf, shrinkMerger } from "./merge";
import { cacheCount, cachedCount, createPieceCache, LONGEST_CACHED, type PieceCache } from "./piece-cache";
import { CL100K_PATTERN, cl100kPieceEnd, O200K_PATTERN, o200kPieceEnd, type PieceEnd } from "./scanner";
import { ABSENT, type BpeTable, readVocabulary, type Vocabulary } from "./vocabulary";
import { createWindow, fillWindow, shrinkWindow, type TextWindow, windowEnd } from "./window";

/** Counts and encodes text by one encoding. Not reentrant: do not call it while a call is running. */
export interface Bpe {
  /** The number of tokens, without making them. */
  count(text: string): Tokens;
  /** The tokens' ids. */
  encode(text: string): number[];
  /** The same encoding with an empty cache; shares the table. */
  fresh(): Bpe;
  /** Number of steps that merging took so far, for tests that the work is linear. */
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

/** Reads an encoding's table. Throws where no scanner implements its split pattern. */
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
