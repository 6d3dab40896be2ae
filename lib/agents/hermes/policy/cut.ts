import type { Tokens } from "@/lib/core/base/units";
import { FEWEST_LAST, MAX_LAST, SOFT_FACTOR } from "../base/constants";
import type { ContextMessage } from "./messages";

/** Limits for the newest messages to keep. */
export interface TailLimits {
  readonly budget: Tokens;
  readonly protectLast: number;
}

/** Messages with their sizes. */
interface Sized {
  readonly messages: readonly ContextMessage[];
  /** Size of each message. */
  readonly sizes: readonly Tokens[];
}

/** First message after the kept first ones, which never end between a call and its results: `_align_boundary_forward`. */
export function headEnd(messages: readonly ContextMessage[], head: number): number {
  let end = Math.min(head, messages.length);
  while (messages[end]?.role === "tool") end += 1;
  return end;
}

/** Messages before this one have their results shortened: `_prune_old_tool_results`. */
export function prunedBefore({ messages, sizes }: Sized, { budget, protectLast }: TailLimits): number {
  const count = messages.length;
  if (budget <= 0) return count - protectLast;
  const least = Math.min(protectLast, count);
  let [boundary, sum] = [count, 0];
  for (let at = count - 1; at >= 0; at--) {
    const size = sizes[at] ?? 0;
    boundary = at;
    if (sum + size > budget && count - at >= least) break;
    sum += size;
  }
  return count - Math.max(count - boundary, least);
}

/** First of the newest messages to keep: `_find_tail_cut_by_tokens`. */
export function tailFrom(sized: Sized, head: number, { budget, protectLast }: TailLimits): number {
  const { messages } = sized;
  const count = messages.length;
  const available = Math.max(0, count - head - 1);
  const floor = Math.max(FEWEST_LAST, Math.min(protectLast, MAX_LAST));
  const least = available > 1 ? Math.min(floor, Math.max(FEWEST_LAST, available - 2), available) : 0;
  const ceiling = Math.trunc(budget * SOFT_FACTOR);
  let { cut, sum } = walk(sized, head, ceiling, least, false);
  if (cut <= head && sum <= ceiling && sum > 0) cut = walk(sized, head, budget, least, true).cut;
  cut = Math.min(cut, count - least);
  if (cut <= head) cut = Math.max(count - least, head + 1);
  cut = beforeCalls(messages, cut);
  cut = withLastPrompt(messages, cut, head);
  cut = withLastAnswer(messages, cut, head);
  return Math.max(cut, head + 1);
}

/** Walks back until a message exceeds a budget. @param includes true if that message is kept too */
function walk({ messages, sizes }: Sized, head: number, budget: Tokens, least: number, includes: boolean) {
  const count = messages.length;
  let [cut, sum] = [count, 0];
  for (let at = count - 1; at >= head; at--) {
    const size = sizes[at] ?? 0;
    if (sum + size > budget && count - at >= least) return { cut: includes ? at : cut, sum };
    sum += size;
    cut = at;
  }
  return { cut, sum };
}

/** `_align_boundary_backward`: moves a cut after results to before their call. */
function beforeCalls(messages: readonly ContextMessage[], cut: number): number {
  if (cut <= 0 || cut >= messages.length) return cut;
  let at = cut - 1;
  while (messages[at]?.role === "tool") at -= 1;
  const message = messages[at];
  return message?.role === "assistant" && message.hasCalls ? at : cut;
}

/** `_ensure_last_user_message_in_tail`: keeps the last prompt, or drops it together with its answer. */
function withLastPrompt(messages: readonly ContextMessage[], cut: number, head: number): number {
  const last = messages.findLastIndex(({ role, isSummary }, at) => at >= head && role === "user" && !isSummary);
  if (last < 0 || last >= cut) return cut;
  if (last > head) return last;
  let end = last + 1;
  if (messages[end]?.role === "assistant") {
    end += 1;
    while (messages[end]?.role === "tool") end += 1;
  }
  return Math.max(end, head + 1);
}

/** `_ensure_last_assistant_message_in_tail`: keeps the last answer with a text, or else the last response. */
function withLastAnswer(messages: readonly ContextMessage[], cut: number, head: number): number {
  const isAnswer = ({ role }: ContextMessage, at: number) => at >= head && role === "assistant";
  const spoken = messages.findLastIndex((message, at) => isAnswer(message, at) && message.hasText);
  const last = spoken < 0 ? messages.findLastIndex(isAnswer) : spoken;
  if (last < 0 || last >= cut) return cut;
  return Math.max(beforeCalls(messages, last), head + 1);
}
