import type { Chars, Share, Tokens } from "@/lib/core/base/units";

/** Constants, and rules that need only numbers, for both layers. Browser-safe. */

/** Source: README.md, "When it fires"; the reserve is declared but never used. */
export const MODEL_CONTEXT_LIMIT: Tokens = 128_000;
export const COMPRESS_THRESHOLD: Share = 0.8;
export const SYSTEM_PROMPT_RESERVE: Tokens = 2000;

/** UTF-16 units for one token. Source: README.md, "Tokens". */
export const CHARS_PER_TOKEN = 2.5;

/** Maximum length of a tool output; longer ones are cut. Source: README.md, "Truncated outputs". */
export const TOOL_OUTPUT_CHARS: Chars = 8000;

/** Tokens that the hint of a summary without text adds to the system prompt. The cross-check compares it with `compressionHint`. */
const EMPTY_HINT_DOCUMENTED: Tokens = 38;
const EMPTY_HINT_CURRENT: Tokens = 36;
export const EMPTY_HINT_TOKENS = { "as-documented": EMPTY_HINT_DOCUMENTED, current: EMPTY_HINT_CURRENT } as const;

/** The size above which it compresses. */
export function compressionLimit(window: Tokens, share: Share): Tokens {
  return window * share;
}

/** Tokens of a number of UTF-16 units. */
export function tokensOfChars(chars: Chars): Tokens {
  return Math.ceil(chars / CHARS_PER_TOKEN);
}
