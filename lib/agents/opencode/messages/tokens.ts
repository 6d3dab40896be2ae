import type { Chars, Tokens } from "@/lib/core/base/units";
import { CHARS_PER_TOKEN } from "../base/constants";

/** opencode's estimate of a text: a quarter of its UTF-16 units, halves rounded up. Source: README.md, "Tokens". */
export function textTokens(text: string): Tokens {
  return tokensOfChars(text.length);
}

export function tokensOfChars(chars: Chars): Tokens {
  return Math.max(0, Math.round(chars / CHARS_PER_TOKEN));
}
