import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { CUT, isResponse } from "../base/constants";
import { cutOf, cutsOf, entriesFrom, isEntry, reachedAt } from "./context-units";
import type { ItemsView } from "./pairing";
import type { Range } from "./unit-sums";

/** The cut point, computed from the columns, by the same rules as `verify/agents/openclaw/cut-point.ts`. Source: README.md, "Cut point". */
export interface ColumnCut {
  readonly at: number;
  /** First position of the turn that the cut splits; −1 if it splits none. */
  readonly turnStart: number;
}

/**
 * pi's cut: entries that are not messages do not count, and move with the next message.
 * @param compacted the last rows before earlier compactions, if the range may begin before them
 */
export function documentedCut(
  view: ItemsView,
  range: Range,
  keep: Tokens,
  compacted: readonly ItemIndex[] = [],
): ColumnCut {
  const isCut = (cut: number) => cut !== CUT.INSIDE && cut !== CUT.RESULT;
  const reached = reachedAt(view, range, keep, (cut) => !isEntry(cut));
  const first = firstAt(view, range, isCut);
  if (first < 0) return { at: range.from, turnStart: -1 };
  const firstAllowed = reached < 0 ? -1 : firstAt(view, { from: reached, to: range.to }, isCut);
  const at = entriesFrom(view, { from: range.from, to: firstAllowed >= 0 ? firstAllowed : first }, compacted);
  const isWhole = at < range.to && cutOf(view, view.items.at(at)) === CUT.TURN;
  return {
    at,
    turnStart: isWhole ? -1 : lastAt(view, { from: range.from, to: at + 1 }, (cut) => cut === CUT.TURN || isEntry(cut)),
  };
}

/** 2026.9.6: all sent messages count; if no cut is allowed after the budget is reached, the last allowed one is used. */
export function currentCut(view: ItemsView, range: Range, keep: Tokens): ColumnCut {
  const isCut = (cut: number) => cut !== CUT.INSIDE && cut !== CUT.RESULT && cut !== CUT.CARRIER;
  const reached = reachedAt(view, range, keep, () => true);
  const firstAllowed = firstAt(view, { from: reached < 0 ? range.from : reached, to: range.to }, isCut);
  const at = firstAllowed >= 0 ? firstAllowed : lastAt(view, range, isCut);
  if (at < 0) return { at: range.from, turnStart: -1 };
  const startsTurn = (cut: number) => isCut(cut) && !isResponse(cut);
  const isWhole = startsTurn(cutOf(view, view.items.at(at)));
  return { at, turnStart: isWhole ? -1 : lastAt(view, { from: range.from, to: at + 1 }, startsTurn) };
}

function firstAt(view: ItemsView, { from, to }: Range, is: (cut: number) => boolean): number {
  const cuts = cutsOf(view.columns);
  for (let position = from; position < to; position++) {
    const item = view.items.at(position);
    if (is(cuts[item] ?? cutOf(view, item))) return position;
  }
  return -1;
}

function lastAt(view: ItemsView, { from, to }: Range, is: (cut: number) => boolean): number {
  const cuts = cutsOf(view.columns);
  for (let position = Math.min(to, view.items.length) - 1; position >= from; position--) {
    const item = view.items.at(position);
    if (is(cuts[item] ?? cutOf(view, item))) return position;
  }
  return -1;
}
