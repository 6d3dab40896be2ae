import { MAX_OUTPUT_TOKENS } from "@/lib/agents/clawdcode/base/constants";
import type { ClawdMessage } from "@/lib/agents/clawdcode/messages/message";
import { estimateMessage, messageTokens, type TextCount } from "@/lib/agents/clawdcode/messages/token-counter";
import type { Share, Tokens } from "@/lib/core/base/units";

/** Tokens of messages: additive over messages, and over the parts of each. Source: README.md, "Tokens". */
export function countTokens(messages: readonly ClawdMessage[], count: TextCount): Tokens {
  return messages.reduce((sum, message) => sum + messageTokens(message, count), 0);
}

/** The rough estimate of messages; roles are not counted. */
export function estimateMessagesTokens(messages: readonly ClawdMessage[]): Tokens {
  return messages.reduce((sum, message) => sum + estimateMessage(message), 0);
}

/** The size at which rule `context` compacts. Source: README.md, "Triggers". */
export function compactionThreshold(maxTokens: Tokens, share: Share): Tokens {
  return Math.floor(maxTokens * share);
}

/** Rule A: compacts if the count reaches the threshold. */
export function shouldCompact(tokens: Tokens, maxTokens: Tokens, share: Share): boolean {
  return tokens >= compactionThreshold(maxTokens, share);
}

/** Tokens left for input after subtracting the reserve for the answer. */
export function remainingTokens(tokens: Tokens, maxContext: Tokens, maxOutput: Tokens = MAX_OUTPUT_TOKENS): Tokens {
  return Math.max(0, maxContext - maxOutput - tokens);
}

/** The newest messages within a budget; the search ends at the first that does not fit. */
export function truncateMessages(
  messages: readonly ClawdMessage[],
  budget: Tokens,
  count: TextCount,
): readonly ClawdMessage[] {
  let tokens = 0;
  let from = messages.length;
  for (; from > 0; from--) {
    tokens += messageTokens(messages[from - 1] ?? {}, count);
    if (tokens > budget) break;
  }
  return messages.slice(from);
}
