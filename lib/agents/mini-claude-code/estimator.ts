import { isObject, jsonOf } from "@/lib/agents/shared/json";
import type { Chars } from "@/lib/core/base/units";
import { type ItemEstimator, sharedOut, textAt } from "@/lib/core/tokens/item-estimator";
import type { Block } from "@/lib/core/transcript/model";
import { type CoreMessage, estimateTokens, messageTokens } from "./messages/message";
import { nativeMessages } from "./messages/native";

/**
 * mini-claude-code's rule: ceil(UTF-16 units / 2.5) for each message, with its parts as one JSON, distributed over the blocks by the size of their
 * texts. On its own files the recorded message is measured unchanged. Source: README.md, "Tokens".
 */
export const miniClaudeCodeEstimator: ItemEstimator = {
  id: "mini-claude-code",
  text: estimateTokens,
  message: (message) => (isCoreMessage(message) ? messageTokens(message) : undefined),
  blocks: (message, contents, format) =>
    sharedOut(
      message.blocks.map((block, index) => weightOf(block, textAt(contents, index), format)),
      nativeMessages(message, contents, format).map((native) => ({
        tokens: messageTokens(native.message),
        blocks: native.blocks,
      })),
    ),
};

function isCoreMessage(value: unknown): value is CoreMessage {
  return isObject(value) && "role" in value && "content" in value;
}

/** The units of a block within its message; another agent's image is omitted. */
function weightOf(block: Block, text: string, format: string): Chars {
  return block.kind === "image" && format !== "mini-claude-code" ? 0 : jsonOf(text).length;
}
