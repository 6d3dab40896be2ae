import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import type { ContextView, SyntheticItem } from "@/lib/core/compaction/policy/policy";
import { COMPACTION_QUESTION, CONTINUE_TEXT } from "../base/constants";
import { tokensOfChars } from "../messages/tokens";

/** Length of the JSON of a user message with one text, as it is sent. */
function messageChars(text: string): Chars {
  return JSON.stringify({ role: "user", content: [{ type: "text", text }] }).length;
}

/** The message before a summary. */
export const QUESTION: SyntheticItem = {
  kind: "request",
  name: "compactionRequest",
  category: "user",
  tokens: tokensOfChars(messageChars(COMPACTION_QUESTION)),
  label: "compaction request",
};

/** The message after a summary, which begins a turn. */
export const CONTINUE: SyntheticItem = {
  kind: "request",
  name: "goOnRequest",
  category: "user",
  tokens: tokensOfChars(messageChars(CONTINUE_TEXT)),
  label: "request to go on",
};

/** Length of its JSON, with the comma after it. */
export const CONTINUE_CHARS: Chars = messageChars(CONTINUE_TEXT) + 1;

export function isContinue(view: ContextView, item: ItemIndex): boolean {
  return view.synthetic(item)?.name === CONTINUE.name;
}

/** Size of an empty answer, which counts as a summary: the message around it. */
export const EMPTY_SUMMARY_TOKENS: Tokens = tokensOfChars(messageChars(""));
