import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, KINDS, ORIGINS } from "@/lib/core/columns/columns";
import type { ContextView } from "@/lib/core/compaction/policy";
import { numberSetting, type Settings } from "@/lib/core/compaction/settings";
import { apportion } from "@/lib/core/tokens/item-estimator";
import { CONTINUE_LABEL, KEPT_TOOL, PRUNE_TURNS } from "./constants";
import { clearedChars, sentChars } from "./policy-chars";
import { tokensOfChars } from "./tokens";

const RESULT = KINDS.indexOf("tool_result");
const RESPONSE = ORIGINS.indexOf("response");
const TYPED = ORIGINS.indexOf("typed");

/**
 * Results that are cleared after a turn, with what is left of them; media that stood beside them goes. Nothing within a
 * turn, and nothing where clearing is off. Source: systems/opencode.md §4.
 */
export function clearedResults(
  view: ContextView,
  settings: Settings,
): readonly (readonly [item: ItemIndex, tokens: Tokens])[] {
  if (settings.prune !== true || !view.turnStart) return [];
  const protect = numberSetting(settings, "pruneProtect");
  const { columns } = view;
  const found: Placed[] = [];
  let [turns, total, pruned] = [0, 0, 0];
  for (let position = historyEnd(view) - 1; position >= 0; position--) {
    const item = view.items.at(position);
    // A summary ends the walk, and so does an output that was cleared before.
    if (item >= columns.length) {
      if (view.synthetic(item)?.label !== CONTINUE_LABEL) break;
      turns += 1;
      continue;
    }
    if (opensTurn(view, item)) turns += 1;
    if (turns < PRUNE_TURNS || columns.kind[item] !== RESULT || isExempt(view, item)) continue;
    if (!view.items.isWhole(item)) break;
    const tokens = tokensOfChars(columns.chars[item] ?? 0);
    total += tokens;
    if (total <= protect) continue;
    pruned += tokens;
    found.push({ position, item }, ...mediaOf(view, position));
  }
  return pruned > numberSetting(settings, "pruneMinimum") ? sizesLeft(view, found) : [];
}

/** Position behind the last response: the new turn's message came after the clearing. */
function historyEnd(view: ContextView): number {
  const { columns } = view;
  const sent = columns.requests.firstItem[view.request - 1] ?? 0;
  for (let position = view.items.length - 1; position >= 0; position--) {
    const item = view.items.at(position);
    if (item >= columns.length || item < sent || columns.origin[item] === RESPONSE) return position + 1;
  }
  return 0;
}

/** The first item of a message that opens a turn. */
function opensTurn(view: ContextView, item: ItemIndex): boolean {
  const { measures, origin, message } = view.columns;
  const turn = measures["opencode.turn"];
  const opens = turn === undefined ? origin[item] === TYPED : turn[item] === 1;
  return opens && message[item - 1] !== message[item];
}

/** Failed calls, and the one tool whose output always stays. */
function isExempt(view: ContextView, item: ItemIndex): boolean {
  const { flags, tool, tables } = view.columns;
  return ((flags[item] ?? 0) & FLAG.ERROR) !== 0 || tables.tools[tool[item] ?? -1] === KEPT_TOOL;
}

/** A position of the context, and what stands there. */
interface Placed {
  readonly position: number;
  readonly item: ItemIndex;
}

/** Media behind a result, which goes with it. */
function mediaOf(view: ContextView, position: number): readonly Placed[] {
  const { columns } = view;
  const found: Placed[] = [];
  const message = columns.message[view.items.at(position)];
  for (let next = position + 1; next < view.items.length; next++) {
    const item = view.items.at(next);
    if (columns.message[item] !== message || columns.kind[item] === RESULT) break;
    if (columns.kind[item] === IMAGE) found.push({ position: next, item });
  }
  return found;
}

/** What is left of items that are cleared, message by message. */
function sizesLeft(view: ContextView, cleared: readonly Placed[]): readonly (readonly [ItemIndex, Tokens])[] {
  const byMessage = new Map<number | undefined, Placed[]>();
  for (const one of cleared) {
    const message = view.columns.message[one.item];
    byMessage.set(message, [...(byMessage.get(message) ?? []), one]);
  }
  return [...byMessage.values()].flatMap((ofOne) => leftOfMessage(view, ofOne));
}

/**
 * What is left of the cleared items of one message. A message's size is that of its JSON, rounded once: under opencode's own rule
 * the cleared items share what the others leave of it, under another each shrinks in proportion.
 */
function leftOfMessage(view: ContextView, cleared: readonly Placed[]): readonly (readonly [ItemIndex, Tokens])[] {
  const rows = rowsAround(view, cleared[0]?.position ?? 0);
  const weights = cleared.map(({ item }) => clearedChars(view, item));
  const whole = sum(rows.map((row) => sentChars(view, row)));
  const tokens = sum(rows.map((row) => view.tokensOf(row)));
  if (tokens !== tokensOfChars(whole)) {
    return cleared.map(({ item }, index) => [item, inProportion(view, item, weights[index] ?? 0)]);
  }
  const gone = sum(cleared.map(({ item }) => sentChars(view, item))) - sum(weights);
  const others = tokens - sum(cleared.map(({ item }) => view.tokensOf(item)));
  const shares = apportion(Math.max(0, tokensOfChars(whole - gone) - others), weights);
  return cleared.map(({ item }, index) => [item, shares[index] ?? 0]);
}

function inProportion(view: ContextView, item: ItemIndex, chars: Chars): Tokens {
  return Math.round((view.tokensOf(item) * chars) / Math.max(1, sentChars(view, item)));
}

/** What stands in the context of the message at a position. */
function rowsAround({ columns, items }: ContextView, position: number): readonly ItemIndex[] {
  const message = columns.message[items.at(position)];
  let from = position;
  while (from > 0 && columns.message[items.at(from - 1)] === message) from -= 1;
  const rows: ItemIndex[] = [];
  for (let at = from; at < items.length && columns.message[items.at(at)] === message; at++) rows.push(items.at(at));
  return rows;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}

const IMAGE = KINDS.indexOf("image");
