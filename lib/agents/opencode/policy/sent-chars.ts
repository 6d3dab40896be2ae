import type { Chars, ItemIndex } from "@/lib/core/base/units";
import { isUnanswered, KIND, type SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView } from "@/lib/core/compaction/policy/policy";
import { CLEARED_TEXT } from "../base/constants";

/** Length of the JSON around a block without a measure. */
const WRAPPER_CHARS: Chars = 50;
const RESULT_WRAPPER_CHARS: Chars = 120;

/** Characters that an item currently adds to the JSON of its message, without the commas between messages. */
export function sentChars(view: ContextView, item: ItemIndex): Chars {
  return view.items.isWhole(item) ? wholeChars(view, item) : clearedChars(view, item);
}

/** Characters of the message that is sent as the result of a call without one; 0 for every other item. */
export function interruptedChars(columns: SessionColumns, item: ItemIndex): Chars {
  return isUnanswered(columns, item) ? (columns.measures["opencode.interrupted"]?.[item] ?? 0) : 0;
}

function wholeChars({ columns }: ContextView, item: ItemIndex): Chars {
  const around = columns.kind[item] === KIND.tool_result ? RESULT_WRAPPER_CHARS : WRAPPER_CHARS;
  return columns.measures["opencode.json"]?.[item] ?? (columns.chars[item] ?? 0) + around;
}

/** The same for a cleared item: the placeholder of an output, and nothing for its media. */
export function clearedChars({ columns }: ContextView, item: ItemIndex): Chars {
  if (columns.kind[item] !== KIND.tool_result) return 0;
  return columns.measures["opencode.cleared"]?.[item] ?? CLEARED_TEXT.length + RESULT_WRAPPER_CHARS;
}
