import type { ItemIndex, Tokens } from "../base/units";
import { KIND, ORIGIN, recordedContext } from "../columns/columns";
import type { ContextView, Positions } from "./policy/policy";
import { rangesOf } from "./simulation/positions";

/**
 * First position of the newest whole messages that fit a budget. If an earlier compaction cut a message, the remaining part counts as whole. If not
 * even the last message fits, the position is the length of the context.
 * @param messages number of messages that stay at any size
 */
export function recentFrom(view: ContextView, budget: Tokens, messages: number): number {
  const { items, columns } = view;
  let tokens = 0;
  let seen = 0;
  let from = items.length;
  for (let position = items.length - 1; position >= 0; position--) {
    const item = items.at(position);
    tokens += view.tokensOf(item);
    if (item >= columns.length) break;
    if (position > 0 && columns.message[items.at(position - 1)] === columns.message[item]) continue;
    seen += 1;
    if (tokens > budget && seen > messages) break;
    from = position;
  }
  return from;
}

/**
 * First position of the last message, or of the message with the first call that it answers: all items between them belong to the same exchange. A
 * message that holds only results of calls that have left cannot stay; then the message before it is the last one. If no recorded message can stay,
 * the position is the length of the context.
 */
export function lastExchangeFrom(view: ContextView): number {
  const { items, columns } = view;
  for (let end = items.length; end > 0 && items.at(end - 1) < columns.length; ) {
    const from = messageFrom(view, end - 1);
    const calls = callsAnswered(view, from, end);
    if (calls === undefined) end = from;
    else return calls.length === 0 ? from : messageFrom(view, positionOf(view, Math.min(...calls)));
  }
  return items.length;
}

/** Calls in the context that a message answers; `undefined` if it holds only results of calls that have left, and their images. */
function callsAnswered({ items, columns }: ContextView, from: number, end: number): readonly ItemIndex[] | undefined {
  const { kind, pair } = columns;
  const rows = Array.from({ length: end - from }, (_, index) => items.at(from + index));
  const answered = rows.flatMap((row) =>
    kind[row] === KIND.tool_result && (pair[row] ?? -1) >= 0 ? [pair[row] ?? -1] : [],
  );
  const calls = answered.filter((call) => items.has(call));
  const isOrphan = (row: ItemIndex) =>
    kind[row] === KIND.tool_result ? (pair[row] ?? -1) >= 0 : kind[row] === KIND.image;
  return calls.length === 0 && answered.length > 0 && rows.every(isOrphan) ? undefined : calls;
}

/** First position of the message with the item at a position. */
function messageFrom({ items, columns }: ContextView, position: number): number {
  const own = columns.message[items.at(position)];
  let from = position;
  while (from > 0 && columns.message[items.at(from - 1)] === own) from -= 1;
  return from;
}

function positionOf({ items }: ContextView, row: ItemIndex): number {
  let position = items.length - 1;
  while (position > 0 && items.at(position) !== row) position -= 1;
  return position;
}

/** Position after the last response. Later items are about to be sent, and not yet part of the history. */
export function responseEnd(view: ContextView): number {
  const { columns, items } = view;
  // A response may be empty: then the history ends with the items that its request sent.
  const sent = columns.requests.firstItem[view.request - 1] ?? 0;
  for (let position = items.length - 1; position >= 0; position--) {
    const item = items.at(position);
    if (item >= columns.length || item < sent || columns.origin[item] === ORIGIN.response) return position + 1;
  }
  return 0;
}

/**
 * Position after the last response and the results that answer it. Later items begin the next turn; an agent that acts at the end of a run does not
 * have them yet.
 */
export function runEnd({ columns, items, request }: ContextView): number {
  // A response may be empty: then the history ends with the items that its request sent.
  const sent = columns.requests.firstItem[request - 1] ?? 0;
  let position = items.length;
  while (position > 0) {
    const item = items.at(position - 1);
    const origin = columns.origin[item];
    if (item < sent || origin === undefined || origin === ORIGIN.response || origin === ORIGIN.tool) break;
    position -= 1;
  }
  return position;
}

/** First recorded item from a position on (recorded items are in file order); the number of rows if there is none. */
export function firstRecorded(view: ContextView, from: number): ItemIndex {
  for (let position = from; position < view.items.length; position++) {
    const item = view.items.at(position);
    if (item < view.columns.length) return item;
  }
  return view.columns.length;
}

/** Tokens of the items between two positions. */
export function tokensBetween(view: ContextView, from: number, to: number): Tokens {
  const items = view.items.list();
  let tokens = 0;
  for (let position = from; position < to; position++) tokens += view.tokensOf(items[position] ?? -1);
  return tokens;
}

/** Tokens between two positions by the estimator's own count, not scaled to the recorded usage. */
export function countBetween(view: Pick<ContextView, "items" | "countOf">, from: number, to: number): Tokens {
  const items = view.items.list();
  let count = 0;
  for (let position = from; position < to; position++) count += view.countOf(items[position] ?? -1);
  return count;
}

/** The context from a position on, without results of calls in the context before it. A result whose call left earlier stays. */
export function endWithoutCallsBefore(view: ContextView, from: number): Positions {
  const first = view.items.at(from);
  return endWithout(view, from, (call) => call < first && isInContextBefore(view, call, from));
}

/** The context from a position on, without results (and their images) of calls outside it. A result without a known call stays. */
export function endWithCalls(view: ContextView, from: number): Positions {
  const first = firstRecorded(view, from);
  return endWithout(view, from, (call) => call < first || !view.items.has(call));
}

/** @param isGone checks that the call of a result has left */
function endWithout(view: ContextView, from: number, isGone: (call: ItemIndex) => boolean): Positions {
  const { kind, pair } = view.columns;
  const items = view.items.list();
  const ranges: (readonly [number, number])[] = [];
  let start = from;
  for (let position = from; position < items.length; position++) {
    const item = items[position] ?? -1;
    const call = kind[item] === KIND.tool_result ? (pair[item] ?? -1) : -1;
    if (call < 0 || !isGone(call)) continue;
    if (position > start) ranges.push([start, position]);
    start = afterResult(view, position);
    position = start - 1;
  }
  if (start < items.length) ranges.push([start, items.length]);
  return ranges;
}

/** Position after a result and its images. */
function afterResult(view: ContextView, position: number): number {
  const { kind, message } = view.columns;
  const own = message[view.items.at(position)];
  let next = position + 1;
  while (next < view.items.length && kind[view.items.at(next)] === KIND.image && message[view.items.at(next)] === own) {
    next += 1;
  }
  return next;
}

/** True if a row is in the context before a position. Recorded items are in file order. */
function isInContextBefore(view: ContextView, row: ItemIndex, before: number): boolean {
  for (let position = before - 1; position >= 0; position--) {
    const item = view.items.at(position);
    if (item <= row) return item === row;
  }
  return false;
}

/**
 * Typed messages before a position, newest first, within a budget. The one that does not fit is truncated to the rest of the budget and ends the
 * search. The positions are in context order.
 */
export function recentTyped(
  view: ContextView,
  before: number,
  budget: Tokens,
): { readonly kept: Positions; readonly truncated: readonly (readonly [ItemIndex, Tokens])[] } {
  const found: number[] = [];
  const truncated: (readonly [ItemIndex, Tokens])[] = [];
  let left = budget;
  for (let position = before - 1; position >= 0 && left > 0; position--) {
    const item = view.items.at(position);
    if (view.columns.origin[item] !== ORIGIN.typed) continue;
    found.push(position);
    const tokens = view.tokensOf(item);
    if (tokens > left) truncated.push([item, left]);
    left -= tokens;
  }
  return { kept: rangesOf(found.reverse()), truncated };
}

/** Tool results that were first sent at least `requests` requests ago and can still be cleared. */
export function oldResults(view: ContextView, requests: number): readonly ItemIndex[] {
  return view.items.clearable(firstOfRecent(view, requests));
}

/** True if there are such results. */
export function hasOldResults(view: ContextView, requests: number): boolean {
  return view.items.hasClearable(firstOfRecent(view, requests));
}

/** The first item that had not been sent yet, the given number of requests ago. */
function firstOfRecent({ columns, request }: ContextView, requests: number): ItemIndex {
  return columns.requests.firstItem[request - requests] ?? 0;
}

/** Cache writes of the last request, if its input is the recorded one; unknown for a simulated input. */
export function writtenToCache(view: ContextView): Tokens {
  const last = view.request - 1;
  if (recordedContext(view.columns, last) !== view.lastInput) return 0;
  return Math.max(0, view.columns.requests.cacheWrite[last] ?? 0);
}
