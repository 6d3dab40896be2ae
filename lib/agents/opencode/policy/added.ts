import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import type { ContextView, SyntheticItem } from "@/lib/core/compaction/policy";
import { COMPACTION_QUESTION, CONTINUE_TEXT } from "../constants";
import { tokensOfChars } from "../tokens";

/** JSON of a user message of one text, as it is sent. */
function messageChars(text: string): Chars {
  return JSON.stringify({ role: "user", content: [{ type: "text", text }] }).length;
}

/** The message that stands before a summary. */
export const QUESTION: SyntheticItem = {
  kind: "request",
  name: "compactionRequest",
  category: "user",
  tokens: tokensOfChars(messageChars(COMPACTION_QUESTION)),
  label: "compaction request",
};

/** The message that stands behind a summary, and that begins a turn. */
export const CONTINUE: SyntheticItem = {
  kind: "request",
  name: "goOnRequest",
  category: "user",
  tokens: tokensOfChars(messageChars(CONTINUE_TEXT)),
  label: "request to go on",
};

/** Its JSON with the comma behind it. */
export const CONTINUE_CHARS: Chars = messageChars(CONTINUE_TEXT) + 1;

export function isContinue(view: ContextView, item: ItemIndex): boolean {
  return view.synthetic(item)?.name === CONTINUE.name;
}

/** What stays of an empty answer, which is taken for a summary: the message. */
export const EMPTY_SUMMARY_TOKENS: Tokens = tokensOfChars(messageChars(""));
