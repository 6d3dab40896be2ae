import type { Tokens } from "@/lib/core/base/units";
import { MAX_OUTPUT_TOKENS, RESERVED_TOKENS } from "../base/constants";

/** The limits of a model. 0 means unknown. */
export interface ModelLimit {
  readonly context: Tokens;
  readonly output: Tokens;
  readonly input?: Tokens | undefined;
}

export interface OverflowConfig {
  /** True if it compacts automatically; absent means it does. */
  readonly auto?: boolean | undefined;
  readonly reserved?: Tokens | undefined;
  /** The longest requested answer, if the user set one. */
  readonly maxOutput?: Tokens | undefined;
}

/** Tokens of the longest answer that is requested. The source of all rules in this file is README.md, "Trigger". */
export function maxOutput(limit: ModelLimit, config: OverflowConfig): Tokens {
  const most = config.maxOutput ?? MAX_OUTPUT_TOKENS;
  return Math.min(limit.output, most) || most;
}

/** Size of the context from which on it compacts. A reserve counts only if the model has an input limit. */
export function usable(limit: ModelLimit, config: OverflowConfig): Tokens {
  if (limit.context === 0) return 0;
  const output = maxOutput(limit, config);
  if (limit.input) return Math.max(0, limit.input - (config.reserved ?? Math.min(RESERVED_TOKENS, output)));
  return Math.max(0, limit.context - output);
}

/** Size of the context above which the rule of 2025 compacts: a model's input limit is used in full, without a reserve. */
export function usableTokens2025(limit: ModelLimit, config: OverflowConfig): Tokens {
  return limit.input || limit.context - maxOutput(limit, config);
}
