import type { Tokens } from "@/lib/core/base/units";
import type { ContextView } from "@/lib/core/compaction/policy/policy";
import { CUT } from "../base/constants";
import { cutOfRow, firstCut, overBudget, type Range } from "./cut";
import type { Release } from "./release";

/** Release 0.51.0: it compacts only between turns, and loses the items that the previous compaction kept. */
export const release0510: Release = {
  losesKept: true,
  cut: releaseCut,
  // A cut keeps the previous turn intact only if it falls right before a user message.
  turns: { starts: new Set([CUT.TURN, CUT.ENTRY]), splitsNone: new Set([CUT.TURN]) },
  carriesSummary: false,
  sendsReasoning: true,
  maxResultTokens: Number.POSITIVE_INFINITY,
};

/**
 * Position from which everything is kept; −1 if there is nothing since the last compaction. Everything is kept if no cut is allowed after the budget
 * is reached, and messages of extensions stay together with the next message.
 */
function releaseCut(view: ContextView, range: Range, keepRecentTokens: Tokens): number {
  if (range.from >= range.to) return -1;
  const first = firstCut(view, range);
  if (first < 0) return range.from;
  const over = overBudget(view, range, keepRecentTokens, (_tokens, cut) => cut !== CUT.ENTRY);
  const next = over < 0 ? -1 : firstCut(view, { from: over, to: range.to });
  return entriesFrom(view, { from: range.from, to: next >= 0 ? next : first });
}

/** First position of the extensions' messages at the end of a range; the end if there are none. */
function entriesFrom(view: ContextView, { from, to }: Range): number {
  let first = to;
  for (let position = to - 1; position >= from; position--) {
    const cut = cutOfRow(view.columns, view.items.at(position));
    if (cut === CUT.INSIDE && position > from) continue;
    if (cut !== CUT.ENTRY) break;
    first = position;
  }
  return first;
}
