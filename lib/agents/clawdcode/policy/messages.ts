import type { ItemIndex } from "@/lib/core/base/units";
import { FLAG, KIND, type SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView, Positions } from "@/lib/core/compaction/policy/policy";
import { firstRecorded } from "@/lib/core/compaction/selection";
import { positionsWhere } from "@/lib/core/compaction/simulation/positions";
import type { CONTEXT_FILTER } from "../base/constants";

/** ClawdCode's messages within a simulated context, computed from the columns. */

const RESULT = KIND.tool_result;

/** By item, a flag for the start of a ClawdCode message and the number of starts before it; every result is a separate message. */
interface MessageRows {
  readonly starts: Uint8Array;
  readonly before: Int32Array;
}

const cache = new WeakMap<SessionColumns["requests"], MessageRows>();

export function messageRows(columns: SessionColumns): MessageRows {
  const known = cache.get(columns.requests);
  if (known !== undefined) return known;
  const { flags, kind, length } = columns;
  const starts = new Uint8Array(length);
  const before = new Int32Array(length + 1);
  let ofResult = false;
  for (let row = 0; row < length; row++) {
    const joins =
      ((flags[row] ?? 0) & FLAG.MESSAGE_START) === 0 && kind[row] !== RESULT && (!ofResult || kind[row] === KIND.image);
    if (!joins) {
      ofResult = kind[row] === RESULT;
      if (row >= columns.overheadRows && ((flags[row] ?? 0) & FLAG.RECORDED_ONLY) === 0) starts[row] = 1;
    }
    before[row + 1] = (before[row] ?? 0) + (starts[row] ?? 0);
  }
  const rows = { starts, before };
  cache.set(columns.requests, rows);
  return rows;
}

export function startsMessage({ starts }: MessageRows, item: ItemIndex): boolean {
  return item >= starts.length || starts[item] === 1;
}

/** True if the context may hold more than `limit` messages: a cheap check that may be wrongly true, but never wrongly false. */
export function mayExceed(view: ContextView, limit: number): boolean {
  const { items, columns } = view;
  if (items.length <= limit) return false;
  const { before } = messageRows(columns);
  let first = 0;
  while (first < items.length && items.at(first) >= columns.length) first += 1;
  if (first === items.length) return first > limit;
  const last = items.at(items.length - 1);
  return first + (before[Math.min(last, columns.length - 1) + 1] ?? 0) - (before[items.at(first)] ?? 0) > limit;
}

/** Number of messages in the context. */
export function countMessages(view: ContextView): number {
  const rows = messageRows(view.columns);
  const items = view.items.list();
  let count = 0;
  for (let position = 0; position < items.length; position++) {
    if (startsMessage(rows, items[position] ?? -1)) count += 1;
  }
  return count;
}

/** Position of the first item of the newest messages; for 0 messages, the end of the context. */
export function newestFrom(view: ContextView, messages: number): number {
  const rows = messageRows(view.columns);
  let left = messages;
  let position = view.items.length;
  while (position > 0 && left > 0) {
    position -= 1;
    if (startsMessage(rows, view.items.at(position))) left -= 1;
  }
  return position;
}

/**
 * Number of newest messages within all limits: none of them older than `age` before the newest, and no more than `messages` and `tokens` together.
 * `undefined` if all messages are. Counting ends at the first message that does not fit; the newest one always fits.
 */
export function messagesWithin(
  view: ContextView,
  { tokens, messages, age }: typeof CONTEXT_FILTER,
): number | undefined {
  const rows = messageRows(view.columns);
  const timeOf = (item: ItemIndex) => view.columns.at[item] ?? Number.NaN;
  let newest = Number.NaN;
  let [sum, size, count] = [0, 0, 0];
  let isTooOld = false;
  for (let position = view.items.length - 1; position >= 0; position--) {
    const item = view.items.at(position);
    size += view.tokensOf(item);
    if (Number.isNaN(newest)) newest = timeOf(item);
    isTooOld ||= timeOf(item) < newest - age;
    if (position > 0 && !startsMessage(rows, item)) continue;
    if (count > 0 && (isTooOld || sum + size > tokens || count === messages)) return count;
    sum += size;
    size = 0;
    count += 1;
  }
  return undefined;
}

/** The items from a position on, without the results whose call is not among them; a result without a call id is kept. */
export function withoutOrphanMessages(view: ContextView, from: number): Positions {
  const { kind, pair, length, measures } = view.columns;
  const withoutCallId = measures["clawdcode.withoutCallId"];
  const rows = messageRows(view.columns);
  const first = firstRecorded(view, from);
  let orphan = false;
  return positionsWhere(view, from, (item) => {
    // Items after a result within its message are dropped with it.
    if (startsMessage(rows, item)) {
      const call = pair[item] ?? -1;
      const isResult = item < length && kind[item] === RESULT && withoutCallId?.[item] !== 1;
      orphan = isResult && !(call >= first && view.items.has(call));
    }
    return !orphan;
  });
}
