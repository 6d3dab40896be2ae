import { range } from "@/lib/core/base/numbers";
import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, isOrphan, isUnanswered, KIND, ORIGIN, type SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView } from "@/lib/core/compaction/policy/policy";

/** An event of a context as OpenHands counts them: a call, a result, or a message of another kind. */
export interface ContextEvent {
  /** Positions of its items. The system prompt and events that are not sent have none. */
  readonly from: number;
  readonly to: number;
  readonly kind: "call" | "result" | "typed" | "context" | "summary" | "other" | "unsent";
  /** True for a call whose response thinks before it. */
  readonly thinks: boolean;
  readonly message: number;
}

const SYSTEM: ContextEvent = { from: 0, to: 0, kind: "other", thinks: false, message: -1 };

/**
 * Events of a context, oldest first, beginning with the system prompt. A response gives one event for each call; its texts belong to the first.
 * @param summaryAt number of events before the summary, which is in front of the context's items
 * @param recalls true if a search for knowledge, which is not sent, follows each prompt
 * @param unsent rows that do not count as events, as `unsentRows` returns them: they stay with the event before them
 */
export function eventsOf(
  view: ContextView,
  summaryAt: number,
  recalls: boolean,
  unsent?: Uint8Array,
): readonly ContextEvent[] {
  const { items } = view;
  const events: ContextEvent[] = [SYSTEM];
  let summary: ContextEvent | undefined;
  for (let from = 0; from < items.length; ) {
    const event = eventAt(view, from);
    const last = events.at(-1) ?? SYSTEM;
    if (unsent?.[items.at(from)] === 1) {
      events[events.length - 1] = { ...last, from: last.to === from ? last.from : from, to: event.to };
    } else if (event.kind === "summary" && from === 0) summary = event;
    else events.push(event);
    if (recalls && event.kind === "typed")
      events.push({ ...SYSTEM, from: event.to, to: event.to, kind: "unsent", message: event.message });
    from = event.to;
  }
  return summary === undefined ? events : events.toSpliced(Math.min(summaryAt, events.length), 0, summary);
}

function eventAt(view: ContextView, from: number): ContextEvent {
  const { items, columns } = view;
  const first = items.at(from);
  if (first >= columns.length) return { ...SYSTEM, from, to: from + 1, kind: "summary" };
  const message = columns.message[first] ?? -1;
  let kind = kindOf(view, from);
  let thinks = false;
  let to = from;
  for (; to < items.length && columns.message[items.at(to)] === message; to++) {
    const now = columns.kind[items.at(to)];
    if (to > from && now === KIND.tool_result) break;
    if (now === KIND.tool_call) {
      if (kind === "call") break;
      kind = "call";
    }
    if (now === KIND.thinking && kind !== "call") thinks = true;
  }
  // A first call begins an event, even if texts precede it.
  return { from, to, kind, thinks, message };
}

function kindOf({ items, columns }: ContextView, position: number): ContextEvent["kind"] {
  const item = items.at(position);
  if (columns.kind[item] === KIND.tool_result) return "result";
  const origin = columns.origin[item];
  return origin === ORIGIN.typed ? "typed" : origin === ORIGIN.context ? "context" : "other";
}

/** Tokens of events. */
export function tokensOfEvents(view: ContextView, events: readonly ContextEvent[]): Tokens {
  let tokens = 0;
  for (const { from, to } of events)
    for (let position = from; position < to; position++) tokens += view.tokensOf(view.items.at(position));
  return tokens;
}

/**
 * Smallest number of events from `least` on before which the context may be cut; `undefined` if there is none. No cut separates a call from its result,
 * two calls of a response, or a sequence of calls and results that begins with thinking.
 */
export function cutFrom(view: ContextView, events: readonly ContextEvent[], least: number): number | undefined {
  const { items, columns } = view;
  let open = 0;
  let isInLoop = false;
  for (let at = 0; at <= events.length; at++) {
    const [event, last] = [events[at], events[at - 1]];
    const isBatch = event?.kind === "call" && last?.kind === "call" && event.message === last.message;
    const isLoop = event !== undefined && (event.kind === "call" || event.kind === "result");
    const isWithin = isInLoop && isLoop && !(event.kind === "call" && event.thinks);
    if (at >= least && open === 0 && !isBatch && !isWithin) return at;
    if (event === undefined) break;
    isInLoop = isLoop && (isInLoop || (event.kind === "call" && event.thinks));
    for (let position = event.from; position < event.to; position++) {
      const item = items.at(position);
      const pair = columns.pair[item] ?? -1;
      if (pair < 0 || !items.has(pair)) continue;
      if (columns.kind[item] === KIND.tool_call) open += 1;
      else if (columns.kind[item] === KIND.tool_result && columns.pair[pair] === item) open -= 1;
    }
  }
  return undefined;
}

/** Tool whose call ends a run. Before the SDK it has no result, and its response is sent as text. */
export const FINISH = "finish";

const known = new WeakMap<SessionColumns, Map<boolean, Uint8Array>>();

/**
 * 1 for each row of OpenHands' own recording that is not sent: a response with a call without a result, the results of its other calls, and results
 * without a call. Source: README.md, "Sent events".
 */
export function unsentRows(columns: SessionColumns, isOld: boolean): Uint8Array {
  const of = known.get(columns) ?? new Map<boolean, Uint8Array>();
  known.set(columns, of);
  const rows = of.get(isOld) ?? findUnsent(columns, isOld);
  of.set(isOld, rows);
  return rows;
}

function findUnsent(columns: SessionColumns, isOld: boolean): Uint8Array {
  const { kind, origin, flags, pair, message, tool, tables, requests, length } = columns;
  const rows = new Uint8Array(length);
  const finishes = (row: ItemIndex) => isOld && tables.tools[tool[row] ?? -1] === FINISH;
  for (let request = 0; request < requests.length; request++) {
    const all = range(requests.firstItem[request] ?? length, requests.firstItem[request + 1] ?? length);
    const response = all.filter(
      (row) => origin[row] === ORIGIN.response && ((flags[row] ?? 0) & FLAG.RECORDED_ONLY) === 0,
    );
    const open = response.filter((row) => isUnanswered(columns, row));
    for (const row of open.every(finishes) ? open : response) rows[row] = 1;
  }
  let isGone = false;
  for (let row = 0; row < length; row++) {
    if (kind[row] === KIND.tool_result) isGone = isOrphan(columns, row) || rows[pair[row] ?? -1] === 1;
    else if (kind[row] !== KIND.image || message[row] !== message[row - 1]) isGone = false;
    if (isGone) rows[row] = 1;
  }
  return rows;
}
