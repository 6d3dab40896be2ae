import { charsOverFour } from "@/lib/core/base/characters";
import type { Tokens } from "@/lib/core/base/units";
import { IMAGE_TOKENS } from "@/lib/core/tokens/estimator";
import { type ItemEstimator, textEstimator } from "@/lib/core/tokens/item-estimator";
import { draftOf } from "./read/blocks";

/**
 * Claude Code's rule of thumb: ceil(UTF-16 units / 4) for each block, 1,600 for an image. It is not the model's tokenizer: the program itself
 * uses recorded usage, and estimates only what came after it. Source: README.md, "Tokens".
 */
export const claudeCodeEstimator: ItemEstimator = {
  ...textEstimator("claude-code", (text) => charsOverFour(text.length)),
  message: (message) => apiMessageTokens(message, (text) => charsOverFour(text.length)),
};

/**
 * Tokens of a message as the API takes it, `{role, content}`: block by block, with `IMAGE_TOKENS` for an image; `undefined` for anything else. Lets
 * estimators of plain text count such messages.
 * @param count tokens of a text
 */
export function apiMessageTokens(message: unknown, count: (text: string) => Tokens): Tokens | undefined {
  if (typeof message !== "object" || message === null || !("content" in message)) return undefined;
  const { blocks } = draftOf({ type: "user", message });
  return blocks.reduce((sum, block) => sum + (block.kind === "image" ? IMAGE_TOKENS : count(block.text)), 0);
}
