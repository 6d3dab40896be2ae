import { sumOf } from "@/lib/core/base/numbers";
import type { Share, Tokens } from "@/lib/core/base/units";

/**
 * Division of messages into chunks for summarising, from their sizes alone: shared by the rules that read messages and those that read columns.
 * Browser-safe. Source: README.md, "Summaries"; openclaw@2026.2.1, agents/compaction.
 */

/** Share of the window for one summary call, and the smallest share if messages are large. */
export const BASE_CHUNK_RATIO: Share = 0.4;
export const MIN_CHUNK_RATIO: Share = 0.15;
/** Estimates are assumed to be too low by this factor. */
export const SAFETY_MARGIN = 1.2;
export const DEFAULT_PARTS = 2;
/** Fewer messages are never summarised in parts. */
export const MIN_MESSAGES_FOR_SPLIT = 4;
/** A message above this share of the window is not summarised. */
export const OVERSIZED_SHARE: Share = 0.5;

/** True if a message of this size is too large to be summarised. */
export function isOversizedSize(tokens: Tokens, window: Tokens): boolean {
  return tokens * SAFETY_MARGIN > window * OVERSIZED_SHARE;
}

/** Number of parts to use: the requested number, at most one part for each message; at least 1. */
export function usableParts(parts: number, messages: number): number {
  if (!Number.isFinite(parts) || parts <= 1) return 1;
  return Math.min(Math.max(1, Math.floor(parts)), Math.max(1, messages));
}

/**
 * Ends of neighbouring parts with about the same tokens.
 * @param sum sum of the sizes, if the caller knows it
 */
export function shareEnds(sizes: readonly Tokens[], parts = DEFAULT_PARTS, sum = sumOf(sizes)): readonly number[] {
  const wanted = usableParts(parts, sizes.length);
  return endsWithin(sizes, sum / wanted, wanted);
}

/** Ends of neighbouring chunks within a maximum; if the number of chunks is limited, the last takes the rest. */
export function endsWithin(
  sizes: readonly Tokens[],
  most: Tokens,
  limit = Number.POSITIVE_INFINITY,
): readonly number[] {
  const ends: number[] = [];
  let start = 0;
  let tokens = 0;
  for (let at = 0; at < sizes.length; at++) {
    const size = sizes[at] ?? 0;
    if (at > start && ends.length < limit - 1 && tokens + size > most) {
      ends.push(at);
      start = at;
      tokens = 0;
    }
    tokens += size;
  }
  if (sizes.length > start) ends.push(sizes.length);
  return ends;
}

/** Ends of neighbouring chunks within a maximum; a larger message is a chunk of its own. */
export function maximumEnds(sizes: readonly Tokens[], most: Tokens): readonly number[] {
  const ends: number[] = [];
  let start = 0;
  let tokens = 0;
  const close = (end: number) => {
    if (end === start) return;
    ends.push(end);
    start = end;
    tokens = 0;
  };
  for (let at = 0; at < sizes.length; at++) {
    const size = sizes[at] ?? 0;
    if (tokens + size > most) close(at);
    tokens += size;
    if (size > most) close(at + 1);
  }
  close(sizes.length);
  return ends;
}

/** The parts of a list between the ends. */
export function cutAt<T>(list: readonly T[], ends: readonly number[]): readonly T[][] {
  return ends.map((end, index) => list.slice(ends[index - 1] ?? 0, end));
}

/**
 * Share of the window for one summary call: smaller if the average message is large. It jumps from 0.4 to just under 0.2 where the average passes a
 * tenth of the window.
 */
export function chunkRatioOf(tokens: Tokens, messages: number, window: Tokens): Share {
  if (messages === 0) return BASE_CHUNK_RATIO;
  const average = ((tokens / messages) * SAFETY_MARGIN) / window;
  if (!(average > 0.1)) return BASE_CHUNK_RATIO;
  return Math.max(MIN_CHUNK_RATIO, BASE_CHUNK_RATIO - Math.min(average * 2, BASE_CHUNK_RATIO - MIN_CHUNK_RATIO));
}

/** The rest of a history within its share of the window: the oldest part is dropped until the rest fits. */
interface PrunedSizes {
  /** The first message of the rest. */
  readonly from: number;
  readonly droppedChunks: number;
  readonly budget: Tokens;
}

export function pruneSizes(sizes: readonly Tokens[], window: Tokens, share: Share, parts = DEFAULT_PARTS): PrunedSizes {
  const budget = Math.max(1, Math.floor(window * share));
  const wanted = usableParts(parts, sizes.length);
  let from = 0;
  let droppedChunks = 0;
  while (sumOf(sizes.slice(from)) > budget) {
    const [first, ...others] = shareEnds(sizes.slice(from), wanted);
    if (first === undefined || others.length === 0) break;
    from += first;
    droppedChunks += 1;
  }
  return { from, droppedChunks, budget };
}

/** True if so much new content stays that the oldest part of the history is summarised separately. */
export function hasMuchNewContent(tokensBefore: Tokens, summarizable: Tokens, window: Tokens, share: Share): boolean {
  const newContent = Math.max(0, Math.floor(tokensBefore - summarizable));
  return newContent > Math.floor(window * share * SAFETY_MARGIN);
}
