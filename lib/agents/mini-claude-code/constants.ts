import type { Chars, Share, Tokens } from "@/lib/core/base/units";

/** Figures and rules from numbers alone, for both layers. Browser-safe. */

/** Source: README.md, "When it fires"; the reserve is declared and used nowhere. */
export const MODEL_CONTEXT_LIMIT: Tokens = 128_000;
export const COMPRESS_THRESHOLD: Share = 0.8;
export const SYSTEM_PROMPT_RESERVE: Tokens = 2000;

/** UTF-16 units a token. Source: README.md, "Tokens". */
export const CHARS_PER_TOKEN = 2.5;

/** Tool outputs above this are cut to it. Source: README.md, "Cut outputs". */
export const TOOL_OUTPUT_CHARS: Chars = 8000;

/** What the hint of a summary without text adds to the system prompt. Held to `compressionHint` by the cross-check. */
const EMPTY_HINT_DOCUMENTED: Tokens = 38;
const EMPTY_HINT_CURRENT: Tokens = 36;
export const EMPTY_HINT_TOKENS = { "as-documented": EMPTY_HINT_DOCUMENTED, current: EMPTY_HINT_CURRENT } as const;

/** The size above which it compresses. */
export function compressionLimit(window: Tokens, share: Share): Tokens {
  return window * share;
}

/** Tokens of so many UTF-16 units. */
export function tokensOfChars(chars: Chars): Tokens {
  return Math.ceil(chars / CHARS_PER_TOKEN);
}
