/**
 * Byte-pair merges of one piece. Two neighbouring parts that together are a token become one part: first the pair with the lowest rank, the leftmost
 * of equals, until no pair is a token. Short pieces search all parts each time. Long pieces keep the candidates in a heap, so that a run of a million
 * letters takes n·log n steps.
 */
import { byteAt, floatAt, intAt, powerOfTwo } from "./arrays";
import { isClosed, isOpenEdge, isThreeByteLead } from "./closed-characters";
import { hashOf } from "./hash";
import { ABSENT, findToken, rankOfPair, type Vocabulary } from "./vocabulary";

/** Bytes of a text and the hashes of its prefixes. */
interface HashedBytes {
  readonly bytes: Uint8Array;
  readonly hashes: Int32Array;
}

/** Working memory that also holds the result of a merge. */
export interface Merger {
  /** Start of each part in the window; one more entry holds the piece's end. */
  starts: Int32Array;
  /** Rank of each part joined with the next one. */
  ranks: Int32Array;
  /** Loop steps so far, for tests of the growth. */
  steps: number;
}

/** Maximum number of parts that are merged by linear search. */
const SHORT = 96;
const SCALE = 2 ** 31;

/** Creates a merger with space for short pieces. */
export function createMerger(): Merger {
  return { ...allocate(SHORT), steps: 0 };
}

function allocate(length: number): Pick<Merger, "starts" | "ranks"> {
  return { starts: new Int32Array(length + 1), ranks: new Int32Array(length + 1) };
}

/** Merges the bytes from `start` to `end` and returns the number of parts. Their bounds are then in `merger.starts`. */
export function mergePiece(
  merger: Merger,
  vocabulary: Vocabulary,
  text: HashedBytes,
  start: number,
  end: number,
): number {
  if (merger.starts.length <= end - start) Object.assign(merger, allocate(powerOfTwo(end - start)));
  const parts = firstParts(merger, vocabulary, text.bytes, start, end);
  firstRanks(merger, vocabulary, text, parts);
  merger.steps += end - start + parts;
  return parts <= SHORT ? mergeShort(merger, vocabulary, text, parts) : mergeLong(merger, vocabulary, text, parts);
}

/** Releases the memory that an unusually long piece took. */
export function shrinkMerger(merger: Merger): void {
  if (merger.starts.length > SHORT + 1) Object.assign(merger, allocate(SHORT));
}

/** Makes every byte a part, except that a closed character between closed edges is one part from the start. Returns the number of parts. */
function firstParts(
  { starts }: Merger,
  { characters }: Vocabulary,
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  let parts = 0;
  let openBefore = false;
  for (let at = start; at < end; ) {
    starts[parts++] = at;
    if (isThreeByteLead(byteAt(bytes, at))) {
      const openAfter = at + 3 < end && isOpenEdge(characters, bytes, at + 3);
      if (openBefore || openAfter || !isClosed(characters, bytes, at)) {
        starts[parts++] = at + 1;
        starts[parts++] = at + 2;
      }
      openBefore = openAfter;
      at += 3;
    } else {
      at++;
      openBefore = at < end && isThreeByteLead(byteAt(bytes, at)) && isOpenEdge(characters, bytes, at);
    }
  }
  starts[parts] = end;
  return parts;
}

function firstRanks({ starts, ranks }: Merger, vocabulary: Vocabulary, text: HashedBytes, parts: number): void {
  for (let i = 0; i + 1 < parts; i++) ranks[i] = rankOf(vocabulary, text, intAt(starts, i), intAt(starts, i + 2));
  ranks[parts - 1] = ABSENT;
}

/** Returns the rank of these bytes, which is a token's id, or ABSENT if they are not a token. */
export function rankOf(vocabulary: Vocabulary, { bytes, hashes }: HashedBytes, start: number, end: number): number {
  if (end - start === 2) return rankOfPair(vocabulary, bytes, start);
  if (end - start > vocabulary.longest) return ABSENT;
  return findToken(vocabulary, bytes, start, end, hashOf(hashes, start, end));
}

function mergeShort(merger: Merger, vocabulary: Vocabulary, text: HashedBytes, count: number): number {
  const { starts, ranks } = merger;
  let parts = count;
  for (;;) {
    const at = leastOf(ranks, parts);
    merger.steps += parts;
    if (intAt(ranks, at) === ABSENT) return parts;
    for (let i = at + 1; i < parts; i++) {
      starts[i] = intAt(starts, i + 1);
      ranks[i] = intAt(ranks, i + 1);
    }
    parts--;
    ranks[at] = at + 1 < parts ? rankOf(vocabulary, text, intAt(starts, at), intAt(starts, at + 2)) : ABSENT;
    if (at > 0) ranks[at - 1] = rankOf(vocabulary, text, intAt(starts, at - 1), intAt(starts, at + 1));
  }
}

function leastOf(ranks: Int32Array, parts: number): number {
  let at = 0;
  let least = intAt(ranks, 0);
  for (let i = 1; i < parts; i++) {
    const rank = intAt(ranks, i);
    if (rank < least) {
      least = rank;
      at = i;
    }
  }
  return at;
}

/**
 * Merges with a heap. Parts keep their number; `next` and `previous` link the remaining ones. A heap key is rank · 2³¹ + number. Outdated keys, whose
 * rank is not their part's current one, are skipped.
 */
function mergeLong(merger: Merger, vocabulary: Vocabulary, text: HashedBytes, parts: number): number {
  const { starts, ranks } = merger;
  const links = linkParts(parts);
  const { next, previous } = links;
  const heap = createHeap(ranks, parts);
  while (heap.size > 0) {
    const key = floatAt(heap.keys, 0);
    const rank = Math.floor(key / SCALE);
    const at = key - rank * SCALE;
    if (intAt(ranks, at) !== rank) {
      removeLeast(heap);
      continue;
    }
    const after = unlinkNext(links, ranks, at);
    const from = intAt(starts, at);
    const to = intAt(starts, after);
    ranks[at] = after < parts ? rankOf(vocabulary, text, from, intAt(starts, intAt(next, after))) : ABSENT;
    replaceLeast(heap, intAt(ranks, at), at);
    if (at === 0) continue;
    const before = intAt(previous, at);
    ranks[before] = rankOf(vocabulary, text, intAt(starts, before), to);
    add(heap, intAt(ranks, before), before);
  }
  merger.steps += heap.steps;
  return collect(merger, next, parts);
}

interface Links {
  readonly next: Int32Array;
  readonly previous: Int32Array;
}

function linkParts(parts: number): Links {
  const next = new Int32Array(parts + 1);
  const previous = new Int32Array(parts + 1);
  for (let i = 0; i <= parts; i++) {
    next[i] = i + 1;
    previous[i] = i - 1;
  }
  return { next, previous };
}

/** Removes the part after `at` and returns the one after that. */
function unlinkNext({ next, previous }: Links, ranks: Int32Array, at: number): number {
  const gone = intAt(next, at);
  const after = intAt(next, gone);
  ranks[gone] = ABSENT;
  next[at] = after;
  previous[after] = at;
  return after;
}

/** Moves the bounds of the remaining parts to the front of `starts`. */
function collect(merger: Merger, next: Int32Array, parts: number): number {
  const { starts } = merger;
  let left = 0;
  for (let at = 0; at <= parts; at = intAt(next, at)) starts[left++] = intAt(starts, at);
  merger.steps += left;
  return left - 1;
}

interface Heap {
  readonly keys: Float64Array;
  size: number;
  steps: number;
}

/** A merge pops one key and pushes at most two, so twice the number of parts is enough space. */
function createHeap(ranks: Int32Array, parts: number): Heap {
  const heap: Heap = { keys: new Float64Array(parts * 2), size: 0, steps: 0 };
  for (let i = 0; i < parts - 1; i++) {
    const rank = intAt(ranks, i);
    if (rank !== ABSENT) heap.keys[heap.size++] = rank * SCALE + i;
  }
  for (let i = (heap.size >> 1) - 1; i >= 0; i--) siftDown(heap, i, floatAt(heap.keys, i));
  return heap;
}

function replaceLeast(heap: Heap, rank: number, part: number): void {
  if (rank === ABSENT) removeLeast(heap);
  else siftDown(heap, 0, rank * SCALE + part);
}

function removeLeast(heap: Heap): void {
  heap.size--;
  if (heap.size > 0) siftDown(heap, 0, floatAt(heap.keys, heap.size));
}

function add(heap: Heap, rank: number, part: number): void {
  if (rank === ABSENT) return;
  const key = rank * SCALE + part;
  const { keys } = heap;
  let at = heap.size++;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    heap.steps++;
    if (floatAt(keys, parent) <= key) break;
    keys[at] = floatAt(keys, parent);
    at = parent;
  }
  keys[at] = key;
}

function siftDown(heap: Heap, from: number, key: number): void {
  const { keys, size } = heap;
  let at = from;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= size) break;
    heap.steps++;
    if (child + 1 < size && floatAt(keys, child + 1) < floatAt(keys, child)) child++;
    if (floatAt(keys, child) >= key) break;
    keys[at] = floatAt(keys, child);
    at = child;
  }
  keys[at] = key;
}
