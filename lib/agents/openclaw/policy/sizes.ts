import type { Chars, Tokens } from "@/lib/core/base/units";

/** Tokens of a text by OpenClaw's own rule, and of shortened texts. Browser-safe. */
export const CHARS_PER_TOKEN = 4;

export function tokensOf(chars: Chars): Tokens {
  return Math.ceil(chars / CHARS_PER_TOKEN);
}

/** Tokens of a text that is cut from one number of chars to another: exact under OpenClaw's own rule, in proportion under any other. */
export function resizedTokens(tokens: Tokens, before: Chars, after: Chars): Tokens {
  if (tokens <= tokensOf(before)) return Math.min(tokens, tokensOf(after));
  return Math.min(tokens, Math.ceil((tokens * after) / Math.max(1, before)));
}
