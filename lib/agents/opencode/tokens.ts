import type { Chars, Tokens } from "@/lib/core/base/units";
import { CHARS_PER_TOKEN } from "./constants";

/** opencode's estimate: a quarter of the UTF-16 units, halves up. Source: systems/opencode.md §1. */
export function textTokens(text: string): Tokens {
  return tokensOfChars(text.length);
}

export function tokensOfChars(chars: Chars): Tokens {
  return Math.max(0, Math.round(chars / CHARS_PER_TOKEN));
}
