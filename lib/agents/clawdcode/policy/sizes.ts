import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { KIND, ROLE } from "@/lib/core/columns/columns";
import type { ContextView } from "@/lib/core/compaction/policy";
import { MESSAGE_TOKENS, QUOTED_CHARS, QUOTED_REQUESTS, SHOWN_CHARS } from "../constants";
import { messageRows, startsMessage } from "./messages";

/** Sizes of what replaces a history, and of what is sent for it. */

const RESULT = KIND.tool_result;

/** Size of the automatic summary of a history as a message, without quotes. Source: golden `compact/none/0`, 90 with its "(No user messages)". */
const AUTOMATIC_TOKENS: Tokens = 86;
const NO_REQUESTS_TOKENS: Tokens = 4;
/** What a message costs without its content: the program's constant, and its role. */
const ENVELOPE_TOKENS: Tokens = MESSAGE_TOKENS + 1;
/** The dash and line end of a quoted request, minus the envelope of the quoted message. */
const QUOTE_TOKENS: Tokens = 2 - ENVELOPE_TOKENS;
/** The lines around a summary as a message, with an empty summary between them. The cross-check tests this number. */
export const EMPTY_SUMMARY_TOKENS: Tokens = 19;
/** The note about a failed compaction as a message, with an error of two words. Source: golden `compact/throws/4`. */
export const FAILURE_MESSAGE_TOKENS: Tokens = 64;

/** Estimate of the summary that is made without a model: its frame, and the beginnings of the newest user messages. */
export function automaticSummaryTokens(view: ContextView): Tokens {
  const rows = messageRows(view.columns);
  const items = view.items.list();
  let [tokens, quoted] = [AUTOMATIC_TOKENS, 0];
  let end = items.length;
  for (let position = end - 1; position >= 0 && quoted < QUOTED_REQUESTS; position--) {
    const item = items[position] ?? -1;
    if (position > 0 && !startsMessage(rows, item)) continue;
    if (isUserMessage(view, item)) {
      tokens += Math.max(1, QUOTE_TOKENS + cutTokens(view, items, position, end, QUOTED_CHARS));
      quoted += 1;
    }
    end = position;
  }
  return quoted === 0 ? AUTOMATIC_TOKENS + NO_REQUESTS_TOKENS : tokens;
}

/** Whether it is a user message; a summary counts as one. */
function isUserMessage({ columns }: ContextView, item: ItemIndex): boolean {
  return item >= columns.length || (columns.role[item] === ROLE.user && columns.kind[item] !== RESULT);
}

/** Estimate of what the summarising model is sent of the history: the contents, each of them cut, without calls. Files come on top. */
export function promptTokens(view: ContextView): Tokens {
  const rows = messageRows(view.columns);
  const items = view.items.list();
  let tokens = 0;
  let start = 0;
  for (let position = 1; position <= items.length; position++) {
    if (position < items.length && !startsMessage(rows, items[position] ?? -1)) continue;
    tokens += cutTokens(view, items, start, position, SHOWN_CHARS);
    start = position;
  }
  return tokens;
}

/**
 * Tokens of the message between two positions, with its content cut to so many characters. For a summary, four characters are assumed for each
 * token.
 */
function cutTokens(view: ContextView, items: Int32Array, from: number, to: number, most: Chars): Tokens {
  const { columns } = view;
  let tokens = 0;
  let chars = 0;
  for (let position = from; position < to; position++) {
    const item = items[position] ?? -1;
    const size = view.tokensOf(item);
    if (item >= columns.length) {
      tokens += size;
      chars += size * 4;
      continue;
    }
    const kind = columns.kind[item];
    if (kind === KIND.tool_call || kind === KIND.thinking || kind === KIND.image) continue;
    tokens += size;
    chars += columns.chars[item] ?? 0;
  }
  if (chars <= most) return tokens;
  return ENVELOPE_TOKENS + Math.ceil((Math.max(0, tokens - ENVELOPE_TOKENS) * most) / chars);
}
