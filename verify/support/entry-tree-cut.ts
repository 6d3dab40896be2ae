import type { Tokens } from "@/lib/core/base/units";

/** Cut of a compaction: the entries before `firstKept` are summarised, and those from it on are kept. */
export interface CutPoint {
  readonly firstKept: number;
  /** First entry of the turn that the cut splits; −1 if it splits none. */
  readonly turnStart: number;
  readonly isSplitTurn: boolean;
}

/** A release's rule for one entry. All releases of pi and OpenClaw search in the same way. */
export interface CutRule<Entry> {
  /** True if a cut is allowed before the entry. */
  readonly isPlace: (entry: Entry) => boolean;
  /** Tokens of the budget that the entry uses; `undefined` if it is skipped. */
  readonly tokensOf: (entry: Entry) => Tokens | undefined;
  /** True if a cut right after the entry moves before it. */
  readonly goesWithNext: (entry: Entry) => boolean;
  readonly startsTurn: (entry: Entry) => boolean;
  /** True if a cut before the entry splits no turn. */
  readonly isWholeTurn: (entry: Entry) => boolean;
}

/** The first allowed cut from an index on; −1 if there is none. */
export function placeFrom<Entry>(range: readonly Entry[], from: number, { isPlace }: CutRule<Entry>): number {
  return range.findIndex((entry, index) => index >= from && isPlace(entry));
}

/** The newest entry at which the sizes from the end reach the budget; −1 if they never do. */
export function reachedAt<Entry>(range: readonly Entry[], budget: Tokens, { tokensOf }: CutRule<Entry>): number {
  let sum = 0;
  return range.findLastIndex((entry) => {
    const tokens = tokensOf(entry);
    sum += tokens ?? 0;
    return tokens !== undefined && sum >= budget;
  });
}

/** The cut at an index in a range, moved before the entries that go with it. Without an index (−1) it is at the range's start. */
export function cutAt<Entry>(range: readonly Entry[], start: number, place: number, rule: CutRule<Entry>): CutPoint {
  if (place < 0) return { firstKept: start, turnStart: -1, isSplitTurn: false };
  const first = range.slice(0, place).findLastIndex((entry) => !rule.goesWithNext(entry)) + 1;
  const isWhole = range.slice(first, first + 1).some(rule.isWholeTurn);
  const turn = isWhole ? -1 : range.slice(0, first + 1).findLastIndex(rule.startsTurn);
  return { firstKept: start + first, turnStart: turn < 0 ? -1 : start + turn, isSplitTurn: turn >= 0 };
}
