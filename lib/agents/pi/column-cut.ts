import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, ORIGINS, type SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView } from "@/lib/core/compaction/policy";
import { CUT } from "./constants";
import type { PiPreset } from "./presets";

/** The cut point over numbers; the same rules as `cut-point.ts`. Source: systems/pi.md §4. */

/** A stretch of the context's positions, `to` not among them. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Position from which a compaction keeps everything, by the rule of `current`; −1 where nothing would be summarised, so that
 * pi does nothing. What gives no tokens is passed over. Source: systems/pi.md §4 and §5.
 */
export function currentCut(view: ContextView, range: Range, keepRecentTokens: Tokens): number {
  const first = firstCut(view, range);
  if (first < 0) return -1;
  const over = overBudget(view, range, keepRecentTokens, (tokens) => tokens > 0);
  if (over < 0) return first > range.from ? first : -1;
  const behind = firstCut(view, { from: over, to: range.to });
  const cut = behind >= 0 ? behind : lastCut(view, range);
  return cut > range.from ? cut : -1;
}

/**
 * The same by the rule of `v0.51.0`; −1 where there is nothing since the last compaction. It keeps everything where nothing
 * may be cut behind the budget, and takes the messages of extensions along with what follows them.
 */
export function releaseCut(view: ContextView, range: Range, keepRecentTokens: Tokens): number {
  if (range.from >= range.to) return -1;
  const first = firstCut(view, range);
  if (first < 0) return range.from;
  const over = overBudget(view, range, keepRecentTokens, (_tokens, cut) => cut !== CUT.ENTRY);
  const behind = over < 0 ? -1 : firstCut(view, { from: over, to: range.to });
  return entriesFrom(view, { from: range.from, to: behind >= 0 ? behind : first });
}

/** Position of the message at which the newest ones reach the budget by pi's own count; −1 where they never do. */
function overBudget(
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
    tokens += view.countOf(item);
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

/** What begins with a recorded row: as measured, else by where its message came from. */
function cutOfRow(columns: SessionColumns, row: ItemIndex): number {
  const measured = columns.measures["pi.cut"]?.[row];
  if (measured !== undefined) return measured;
  if (((columns.flags[row] ?? 0) & FLAG.MESSAGE_START) === 0) return CUT.INSIDE;
  return BY_ORIGIN[ORIGINS[columns.origin[row] ?? -1] ?? "summary"];
}

/** First position of the extensions' messages that stand together before the end of a range; its end where there are none. */
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

/** Whether pi may cut before what begins at a position. */
function isCutAt(view: ContextView, position: number): boolean {
  const cut = cutOfRow(view.columns, view.items.at(position));
  return cut !== CUT.INSIDE && cut !== CUT.RESULT;
}

/** The first position within a range before which pi may cut; −1 where there is none. */
function firstCut(view: ContextView, { from, to }: Range): number {
  for (let position = from; position < to; position++) if (isCutAt(view, position)) return position;
  return -1;
}

/** The last position within a range before which pi may cut; −1 where there is none. */
function lastCut(view: ContextView, { from, to }: Range): number {
  for (let position = to - 1; position >= from; position--) if (isCutAt(view, position)) return position;
  return -1;
}

/**
 * First position of the turn that a cut splits; −1 where it splits none. In `v0.51.0` only a person's message leaves the turn before
 * it whole, in `current` anything but a response or a result.
 */
export function splitTurnStart(view: ContextView, range: Range, cut: number, preset: PiPreset): number {
  const starts = preset === "v0.51.0" ? STARTS_TURN.release : STARTS_TURN.current;
  const cutAt = (position: number) => cutOfRow(view.columns, view.items.at(position));
  if (cut >= view.items.length) return -1;
  const isWhole = preset === "v0.51.0" ? cutAt(cut) === CUT.TURN : starts.has(cutAt(cut));
  for (let position = isWhole ? -1 : cut; position >= range.from; position--)
    if (starts.has(cutAt(position))) return position;
  return -1;
}

const STARTS_TURN: Readonly<Record<"release" | "current", ReadonlySet<number>>> = {
  release: new Set([CUT.TURN, CUT.ENTRY]),
  current: new Set([CUT.TURN, CUT.ENTRY, CUT.MESSAGE]),
};
