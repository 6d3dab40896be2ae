import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, ORIGINS, type SessionColumns } from "@/lib/core/columns/columns";
import type { FileList } from "@/lib/core/compaction/file-list";
import type { ContextView, SyntheticItem } from "@/lib/core/compaction/policy";
import { CUT } from "./constants";

/** OpenClaw's messages within a simulated context, over numbers. */

const TYPED = ORIGINS.indexOf("typed");
const RESPONSE = ORIGINS.indexOf("response");
const TOOL = ORIGINS.indexOf("tool");

/** A stretch of the context's positions, `to` not among them. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A message within a range: its first position, its size, and what it is (`CUT`). */
export interface Unit {
  readonly at: number;
  readonly tokens: Tokens;
  readonly cut: number;
}

/** The summary that a compaction of ours put in front. */
export interface OwnSummary extends SyntheticItem {
  readonly list: FileList;
  /** The last row that was there then: what the compaction kept lies before it. */
  readonly through: ItemIndex;
  /** Summaries so far, this one included. */
  readonly count: number;
}

/** The turn in which memories were written down, and how many summaries there were then. */
export interface FlushTurn extends SyntheticItem {
  readonly flushedFor: number;
}

export function previousSummary(view: ContextView): OwnSummary | undefined {
  const first = view.items.length === 0 ? undefined : view.synthetic(view.items.at(0));
  // Only summaries of this policy stand in front, and only they have these fields.
  return first !== undefined && "through" in first ? (first as OwnSummary) : undefined;
}

/** Whether an item was there when that summary was made. */
export function wasThere(view: ContextView, item: ItemIndex, summary: OwnSummary): boolean {
  const own = view.synthetic(item);
  // Only turns of this policy have the field.
  return own === undefined ? item <= summary.through : (own as Partial<FlushTurn>).flushedFor !== summary.count;
}

/** The last row of the recording before a position; −1 where there is none. */
export function lastRecorded(view: ContextView, before: number): ItemIndex {
  for (let position = before - 1; position >= 0; position--) {
    const item = view.items.at(position);
    if (item < view.columns.length) return item;
  }
  return -1;
}

/** Whether memories were already written down since the last summary. */
export function isFlushed(view: ContextView, summaries: number): boolean {
  for (let position = view.items.length - 1; position >= 0; position--) {
    const item = view.synthetic(view.items.at(position));
    // Only turns of this policy have the field.
    if (item !== undefined && "flushedFor" in item) return (item as FlushTurn).flushedFor === summaries;
  }
  return false;
}

/** What begins with an item: as measured, else by where its message came from. A summary is no user's message. */
export function cutOf(view: ContextView, item: ItemIndex): number {
  if (item >= view.columns.length) return view.synthetic(item)?.category === "summaries" ? CUT.MESSAGE : CUT.TURN;
  return view.columns.measures["openclaw.cut"]?.[item] ?? cutByOrigin(view.columns, item);
}

function cutByOrigin(columns: SessionColumns, row: ItemIndex): number {
  if (((columns.flags[row] ?? 0) & FLAG.MESSAGE_START) === 0) return CUT.INSIDE;
  switch (columns.origin[row]) {
    case TYPED:
      return CUT.TURN;
    case RESPONSE:
      return CUT.RESPONSE;
    case TOOL:
      return CUT.RESULT;
    default:
      return CUT.ENTRY;
  }
}

/** The messages of a range, newest first. */
export function* unitsBack(view: ContextView, { from, to }: Range): Generator<Unit> {
  let tokens = 0;
  for (let position = to - 1; position >= from; position--) {
    const item = view.items.at(position);
    const cut = cutOf(view, item);
    tokens += view.tokensOf(item);
    if (cut === CUT.INSIDE && position > from) continue;
    yield { at: position, tokens, cut };
    tokens = 0;
  }
}

/** The messages of a range, oldest first. */
export function units(view: ContextView, range: Range): readonly Unit[] {
  return [...unitsBack(view, range)].reverse();
}

/** Whether a run begins with this request: something stands behind the last response that starts a turn. */
export function isRunStart(view: ContextView): boolean {
  if (view.turnStart) return true;
  for (let position = view.items.length - 1; position >= 0; position--) {
    const item = view.items.at(position);
    if (isOfRun(view, item)) return false;
    if (cutOf(view, item) === CUT.TURN) return true;
  }
  return false;
}

/** Position behind the last response and the results that answer it. */
export function runEnd(view: ContextView): number {
  let position = view.items.length;
  while (position > 0 && !isOfRun(view, view.items.at(position - 1))) position -= 1;
  return position;
}

function isOfRun(view: ContextView, item: ItemIndex): boolean {
  if (item >= view.columns.length) return true;
  const origin = view.columns.origin[item];
  return origin === RESPONSE || origin === TOOL;
}
