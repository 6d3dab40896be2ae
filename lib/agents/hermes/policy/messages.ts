import { charsOverFour } from "@/lib/core/base/characters";
import { range } from "@/lib/core/base/numbers";
import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { isOrphan, isUnanswered, KIND, ORIGIN, type SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView, PolicyPlan } from "@/lib/core/compaction/policy/policy";
import { CALL_TOKENS, IMAGE_LINE_CHARS, IMAGE_TOKENS, MESSAGE_TOKENS, UNAVAILABLE_RESULT } from "../base/constants";

/** A message of a context as Hermes' compressor sees it. */
export interface ContextMessage {
  /** Positions of its items. */
  readonly from: number;
  readonly to: number;
  /** Position of a summary that was merged into it. */
  readonly merged?: number;
  readonly role: "user" | "assistant" | "tool";
  readonly isSummary: boolean;
  readonly hasCalls: boolean;
  readonly hasText: boolean;
}

/** Place of the last compaction's summary; the engine keeps it in front of all items. */
export interface SummaryPlace {
  /** Number of messages before it. */
  readonly at: number;
  /** Role of its message; `undefined` if it is part of the message after it, since no role fits between its neighbours. */
  readonly role: "user" | "assistant" | undefined;
}

/** Messages of a context, oldest first. Every result is a message of its own. */
export function messagesOf(view: ContextView, place: SummaryPlace): readonly ContextMessage[] {
  const { items, columns } = view;
  const messages: ContextMessage[] = [];
  let summary: ContextMessage | undefined;
  for (let from = 0; from < items.length; ) {
    const message = messageAt(view, from);
    if (message.isSummary && from === 0 && items.at(from) >= columns.length) summary = message;
    else messages.push(message);
    from = message.to;
  }
  if (summary === undefined) return messages;
  const next = messages[place.at];
  if (place.role !== undefined || next === undefined)
    return messages.toSpliced(Math.min(place.at, messages.length), 0, summary);
  return messages.with(place.at, { ...next, isSummary: true, hasText: true, merged: summary.from });
}

function messageAt(view: ContextView, from: number): ContextMessage {
  const { items, columns } = view;
  const first = items.at(from);
  if (first >= columns.length) {
    const role = view.synthetic(first)?.role === "assistant" ? "assistant" : "user";
    return { from, to: from + 1, role, isSummary: true, hasCalls: false, hasText: true };
  }
  const message = columns.message[first];
  const isResult = columns.kind[first] === KIND.tool_result;
  let [hasCalls, hasText] = [false, false];
  let to = from;
  for (; to < items.length && columns.message[items.at(to)] === message; to++) {
    const item = items.at(to);
    if (to > from && columns.kind[item] === KIND.tool_result) break;
    if (columns.kind[item] === KIND.tool_call) hasCalls = true;
    if (columns.kind[item] === KIND.text) hasText = true;
  }
  const origin = columns.origin[first];
  const role = isResult ? "tool" : origin === ORIGIN.response ? "assistant" : "user";
  return { from, to, role, isSummary: origin === ORIGIN.summary, hasCalls, hasText };
}

/** Positions of a message's items. */
export function positionsOf({ from, to, merged }: ContextMessage): readonly number[] {
  const own = range(from, to);
  return merged === undefined ? own : [merged, ...own];
}

/** New sizes of items that a compaction shortens. */
export type Shortened = ReadonlyMap<ItemIndex, Tokens>;

const STAND_IN_TOKENS: Tokens = charsOverFour(UNAVAILABLE_RESULT.length);

/** Size of an item as it is sent: a call with its stand-in, and nothing of a result without a call in Hermes' own recordings. */
export function sentTokens({ columns, own }: Pick<PolicyPlan, "columns" | "own">, item: ItemIndex, tokens: Tokens) {
  if (own === true && isOrphan(columns, item)) return 0;
  return tokens + (isUnanswered(columns, item) ? STAND_IN_TOKENS : 0);
}

/** The inverse: size of an item as the session holds it, by which Hermes cuts and summarises. */
export function heldTokens(columns: SessionColumns, item: ItemIndex, sent: Tokens): Tokens {
  if (sent === 0 && isOrphan(columns, item)) return charsOverFour(columns.chars[item] ?? 0);
  return sent - (isUnanswered(columns, item) ? STAND_IN_TOKENS : 0);
}

/** Hermes' own count of a message (`_estimate_msg_budget_tokens`): thinking is not part of it. */
export function countOfMessage(view: ContextView, message: ContextMessage, shortened: Shortened): Tokens {
  const { items, columns } = view;
  let tokens = MESSAGE_TOKENS;
  for (const position of positionsOf(message)) {
    const item = items.at(position);
    const kind = columns.kind[item];
    if (kind === KIND.thinking) continue;
    const short = shortened.get(item);
    const isImage = kind === KIND.image && short === undefined && view.tokensOf(item) > charsOverFour(IMAGE_LINE_CHARS);
    if (isImage) tokens += IMAGE_TOKENS;
    else tokens += short ?? heldTokens(columns, item, view.countOf(item));
    if (kind === KIND.tool_call) tokens += CALL_TOKENS;
  }
  return tokens;
}
