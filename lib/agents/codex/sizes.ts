import type { Bytes, Tokens } from "@/lib/core/base/units";

/**
 * Sizes of truncated texts from numbers alone: what `truncate.ts` and `estimate.ts` give for the text itself, to within the
 * bytes of one character at each side of the cut. Browser-safe.
 */

const BYTES_PER_TOKEN = 4;
/** `…` twice (three bytes each) and ` tokens truncated`; the number comes on top. */
const MARKER_BYTES: Bytes = 6 + " tokens truncated".length;
/** JSON of a user message around its text. Source: systems/codex.md §1, order of fields. */
export const USER_MESSAGE_BYTES: Bytes = '{"type":"message","role":"user","content":[{"type":"input_text","text":""}]}'
  .length;
/** What every further text of a message adds. */
export const CONTENT_ITEM_BYTES: Bytes = ',{"type":"input_text","text":""}'.length;
/** JSON of a call's output around its text, with a call id of the usual 29 characters. */
export const OUTPUT_BYTES: Bytes =
  '{"type":"function_call_output","call_id":"call_0123456789abcdefghijklmn","output":""}'.length;

/** Codex's tokens of a text: ceil(bytes / 4). */
export function tokensOfBytes(bytes: Bytes): Tokens {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** Bytes of a text after truncation to a token budget. Nothing is left where the budget is 0: only the marker. */
export function truncatedBytes(bytes: Bytes, budget: Tokens): Bytes {
  const kept = budget * BYTES_PER_TOKEN;
  if (bytes <= kept) return bytes;
  return kept + MARKER_BYTES + String(tokensOfBytes(bytes - kept)).length;
}

/**
 * Tokens of an item whose JSON changes from `before` to `after` bytes. Exact where `tokens` are Codex's own count of the
 * item; under any other estimator in proportion.
 */
export function resized(tokens: Tokens, before: Bytes, after: Bytes): Tokens {
  if (before <= 0 || before === after) return tokens;
  if (tokens === tokensOfBytes(before)) return tokensOfBytes(after);
  return Math.ceil((tokens * after) / before);
}
