import { isObject, jsonOf, objectOf, parsedOr } from "@/lib/agents/shared/json";
import type { Chars } from "@/lib/core/base/units";
import { apportion, type BlockContent, type ItemEstimator, textAt } from "@/lib/core/tokens/item-estimator";
import type { Block, BlockKind, Message } from "@/lib/core/transcript/model";
import { CLEARED_TEXT } from "./base/constants";
import { interruptedResult, nativeMessage } from "./messages/native";
import { textTokens, tokensOfChars } from "./messages/tokens";
import type { OpencodeMeasure } from "./policy/measures";
import { ARGUMENT_CHARS } from "./report/panel-shares";

/**
 * opencode's token rule: a quarter of a text's characters, and for a message a quarter of the characters of its JSON as it is sent. The program
 * measures a list of messages as a whole. Here each message is measured separately, so a list may differ by one token for each message.
 */
export const opencodeEstimator: ItemEstimator = {
  id: "opencode",
  text: textTokens,
  message: (message) =>
    isObject(message) && "role" in message && "content" in message ? tokensOfChars(jsonOf(message).length) : undefined,
  blocks: (message, contents, format) => {
    const chars = blockChars(message, contents, format);
    return apportion(tokensOfChars(chars.reduce((sum, value) => sum + value, 0)), chars);
  },
};

/** Characters of JSON that every block adds; the first block includes the message's own. */
function blockChars(message: Message, contents: readonly BlockContent[], format: string): readonly Chars[] {
  const { role, content } = nativeMessage(message, contents, format);
  const around = jsonOf({ role, content: [] }).length;
  return content.map((part, index) => jsonOf(part).length + (index === 0 ? around : 1));
}

/** Numbers that the policy needs besides tokens: for each measure, one number for each block. */
export type OpencodeMeasures = Readonly<Record<OpencodeMeasure, readonly number[]>>;

/**
 * Measures of a message's blocks, in their order; computed once on the server, like token columns.
 * - `opencode.json`: characters that the block adds to the JSON of its message
 * - `opencode.cleared`: the same for a result once its output is cleared; 0 for its media
 * - `opencode.turn`: 1 if the message opens a turn
 * - `opencode.panel`: characters that the context panel counts; for a call a fixed number for every argument
 * - `opencode.interrupted`: for a call with an id, characters of the message generated as its result if it has none
 */
export function opencodeMeasures(
  message: Message,
  contents: readonly BlockContent[],
  format: string,
): OpencodeMeasures {
  const chars = blockChars(message, contents, format);
  return {
    "opencode.json": chars,
    "opencode.cleared": message.blocks.map((block, index) =>
      clearedChars(block, textAt(contents, index), chars[index] ?? 0),
    ),
    "opencode.turn": chars.map(() => Number(opensTurn(message, format))),
    "opencode.panel": message.blocks.map((block, index) => panelChars(block.kind, textAt(contents, index))),
    "opencode.interrupted": message.blocks.map(interruptedChars),
  };
}

/** True if a message opens a turn: any typed message, and in opencode's own files also an inserted user message, unless only the recording has it. */
function opensTurn({ origin, recordedOnly }: Message, format: string): boolean {
  return origin === "typed" || (origin === "context" && format === "opencode" && recordedOnly !== true);
}

/** Without a call id, the result of a call is unknown. */
function interruptedChars(block: Block): Chars {
  return block.kind === "tool_call" && block.callId !== undefined ? jsonOf(interruptedResult(block)).length : 0;
}

function panelChars(kind: BlockKind, text: string): Chars {
  if (kind === "image") return 0;
  return kind === "tool_call" ? argumentCount(text) * ARGUMENT_CHARS : text.length;
}

/** Another agent's arguments may be a text, which has no argument names. */
function argumentCount(json: string): number {
  return Object.keys(objectOf(parsedOr(json))).length;
}

function clearedChars({ kind, callId }: Block, text: string, chars: Chars): Chars {
  if (kind === "image" && callId !== undefined) return 0;
  // In the JSON, both texts are within quotes.
  return kind === "tool_result" ? chars - jsonOf(text).length + jsonOf(CLEARED_TEXT).length : chars;
}
