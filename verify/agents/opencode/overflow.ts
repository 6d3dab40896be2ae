import { type ModelLimit, type OverflowConfig, usable, usableTokens2025 } from "@/lib/agents/opencode/policy/overflow";
import type { Tokens } from "@/lib/core/base/units";

/** Tokens of a response as opencode records them. */
interface ResponseTokens {
  readonly total?: Tokens | undefined;
  readonly input: Tokens;
  readonly output: Tokens;
  readonly cacheRead: Tokens;
  readonly cacheWrite: Tokens;
}

/** The count that is compared with the limit: the recorded total, or else the sum without reasoning. */
function countedTokens(tokens: ResponseTokens): Tokens {
  return tokens.total || tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite;
}

/** True if the response reached the limit. */
export function isOverflow(tokens: ResponseTokens, limit: ModelLimit, config: OverflowConfig): boolean {
  if (config.auto === false || limit.context === 0) return false;
  return countedTokens(tokens) >= usable(limit, config);
}

/** True if the response exceeds the limit by the rule of 2025, which does not count cache writes. */
export function isOverflowOf2025(tokens: ResponseTokens, limit: ModelLimit, config: OverflowConfig): boolean {
  if (config.auto === false || limit.context === 0) return false;
  const count = tokens.input + tokens.cacheRead + tokens.output;
  return count > usableTokens2025(limit, config);
}
