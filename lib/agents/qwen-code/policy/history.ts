import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { KIND, ORIGIN, ROLE } from "@/lib/core/columns/columns";
import type { ContextView, SyntheticItem } from "@/lib/core/compaction/policy/policy";
import { ACKNOWLEDGEMENT, CHARS_PER_TOKEN } from "../base/constants";

/** Values of the columns that the rules of both releases compare. */

export const RESPONSE = ORIGIN.response;
export const ASSISTANT = ROLE.assistant;
export const CALL = KIND.tool_call;
export const RESULT = KIND.tool_result;
export const IMAGE = KIND.image;

/** First position about to be sent: it is not part of the history yet, and is always kept. */
export function pendingFrom(view: ContextView): number {
  const { columns, items } = view;
  let position = items.length;
  while (position > 0) {
    const item = items.at(position - 1);
    // Content that a subagent inherits from its parent ends the history too: it has the model's role, but is not a response of this session.
    if (item >= columns.length || columns.role[item] === ASSISTANT) break;
    position -= 1;
  }
  return position;
}

/** First row that is not part of the history: the first one that is about to be sent, else the first one that has not entered. */
export function firstPending(view: ContextView): ItemIndex {
  const { columns, items } = view;
  const end = pendingFrom(view);
  if (end < items.length) return items.at(end);
  const last = items.at(end - 1);
  return last < columns.length ? last + 1 : columns.length;
}

/** Size of the acknowledgement; the `/context` rule and the compaction rule agree on it. */
const ACKNOWLEDGEMENT_TOKENS: Tokens = Math.ceil(ACKNOWLEDGEMENT.length / CHARS_PER_TOKEN);
/** The model's answer that the program generates after a summary. */
export const acknowledgementItem: SyntheticItem = {
  kind: "acknowledgement",
  name: "acknowledgement",
  role: "assistant",
  category: "other",
  tokens: ACKNOWLEDGEMENT_TOKENS,
  label: "acknowledgement",
};
