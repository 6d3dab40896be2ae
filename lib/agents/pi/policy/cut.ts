import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, ORIGINS, type SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView } from "@/lib/core/compaction/policy/policy";
import { CUT } from "../base/constants";
import { heldTokens } from "./sent-tokens";

/** A range of the context's positions; `to` is exclusive. The source of the rules in this file, which both releases share, is README.md, "Compaction". */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Position of the message at which the newest messages reach the budget by pi's own count; −1 if they never do. */
export function overBudget(
  view: ContextView,
  { from, to }: Range,
  budget: Tokens,
  counts: (tokens: Tokens, cut: number) => boolean,
): number {
  let sum = 0;
  let tokens = 0;
  for (let position = to - 1; position >= from; position--) {
    const item = view.items.at(position);
    const cut = cutOfRow(view.columns, item);
    tokens += heldTokens(view.columns, item, view.countOf(item));
    if (cut === CUT.INSIDE && position > from) continue;
    if (counts(tokens, cut)) {
      sum += tokens;
      if (sum >= budget) return position;
    }
    tokens = 0;
  }
  return -1;
}

const BY_ORIGIN: Readonly<Record<(typeof ORIGINS)[number], number>> = {
  overhead: CUT.MESSAGE,
  typed: CUT.TURN,
  response: CUT.RESPONSE,
  tool: CUT.RESULT,
  context: CUT.ENTRY,
  summary: CUT.MESSAGE,
};

/** Kind of message that begins at a recorded row: as measured, else by its message's origin. */
export function cutOfRow(columns: SessionColumns, row: ItemIndex): number {
  const measured = columns.measures["pi.cut"]?.[row];
  if (measured !== undefined) return measured;
  if (((columns.flags[row] ?? 0) & FLAG.MESSAGE_START) === 0) return CUT.INSIDE;
  return BY_ORIGIN[ORIGINS[columns.origin[row] ?? -1] ?? "summary"];
}

/** True if pi may cut before the item at a position. */
export function isCutAt(view: ContextView, position: number): boolean {
  const cut = cutOfRow(view.columns, view.items.at(position));
  return cut !== CUT.INSIDE && cut !== CUT.RESULT;
}

/** The first position within a range before which pi may cut; −1 if there is none. */
export function firstCut(view: ContextView, { from, to }: Range): number {
  for (let position = from; position < to; position++) if (isCutAt(view, position)) return position;
  return -1;
}

/** Messages that start a turn, and messages before which a cut splits no turn; both are values of `CUT`. */
export interface TurnStarts {
  readonly starts: ReadonlySet<number>;
  readonly splitsNone: ReadonlySet<number>;
}

/** First position of the turn that a cut splits; −1 if it splits none. */
export function splitTurnStart(view: ContextView, range: Range, cut: number, turns: TurnStarts): number {
  const cutAt = (position: number) => cutOfRow(view.columns, view.items.at(position));
  if (cut >= view.items.length || turns.splitsNone.has(cutAt(cut))) return -1;
  for (let position = cut; position >= range.from; position--) if (turns.starts.has(cutAt(position))) return position;
  return -1;
}
