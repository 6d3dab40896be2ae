import { charsOverFour } from "@/lib/core/tokens/characters";
import { type ItemEstimator, textEstimator } from "@/lib/core/tokens/item-estimator";

/**
 * Claude Code's rule of thumb: ceil(UTF-16 units / 4) a block, 1,600 an image. It is not the model's tokenizer; the program
 * itself goes by recorded usage and estimates only what came after it.
 * Source: systems/claude-code.md §5, interfaces.md "estimator".
 */
export const claudeCodeEstimator: ItemEstimator = textEstimator("claude-code", (text) => charsOverFour(text.length));
