import type { Bytes, Tokens } from "@/lib/core/base/units";

/**
 * Limits and sizes computed from numbers alone, for both layers; this file runs in the browser too. The sizes equal those that `truncate.ts` and
 * `estimate.ts` compute from a text, to within the bytes of one character at each side of the cut. Source of the limits: README.md, "Limit and
 * window".
 */

/** Tokens that Codex always counts as used when it shows a percentage. */
export const BASELINE_TOKENS: Tokens = 12_000;

/** Size of a local summary whose text is empty: a user message that holds only the prefix. The cross-check tests this number. */
export const EMPTY_SUMMARY_TOKENS: Tokens = 120;

/**
 * Ratio of Codex's estimate of encrypted reasoning to the tokens that the reasoning took, `reasoning_output_tokens`. Measured in November 2026
 * over 384 items of known length in public recordings: 1.19 over all of them, 1.14 to 1.35 by file.
 */
export const HIDDEN_PER_REASONING_TOKEN = 1.19;

/** Nine tenths of the window. */
export function nineTenths(window: Tokens): Tokens {
  return Math.floor((window * 9) / 10);
}

/** Share of the raw window that Codex shows and records. Source: README.md, "Limit and window". */
export const EFFECTIVE_WINDOW_SHARE = 0.95;
/** The same share as the percentage that all listed models have. */
export const EFFECTIVE_PERCENT = Math.round(EFFECTIVE_WINDOW_SHARE * 100);

/** The window that Codex shows and records: a share of the raw one. */
export function effectiveWindow(window: Tokens, percent: number): Tokens {
  return Math.floor((window * percent) / 100);
}

const BYTES_PER_TOKEN = 4;
/** `…` twice (three bytes each) and ` tokens truncated`, without the number. */
const MARKER_BYTES: Bytes = 6 + " tokens truncated".length;
/** Bytes of a user message's JSON around its text. Source: README.md, "JSON of an item". */
export const USER_MESSAGE_BYTES: Bytes = '{"type":"message","role":"user","content":[{"type":"input_text","text":""}]}'
  .length;
/** Bytes that each further text of a message adds to its JSON. */
export const CONTENT_ITEM_BYTES: Bytes = ',{"type":"input_text","text":""}'.length;
/** Bytes that an image adds to a message's JSON, without its URL. */
export const IMAGE_ITEM_BYTES: Bytes = ',{"type":"input_image","image_url":""}'.length;
/** Bytes that `current` counts for an image, whatever its size. Source: README.md, "Estimates". */
export const IMAGE_BYTES: Bytes = 7373;
/** Bytes of a call output's JSON around its text, with a call id of the usual 29 characters. */
export const OUTPUT_BYTES: Bytes =
  '{"type":"function_call_output","call_id":"call_0123456789abcdefghijklmn","output":""}'.length;

/** Codex's tokens of a text: ceil(bytes / 4). */
export function tokensOfBytes(bytes: Bytes): Tokens {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** Bytes of a text after truncation to a token budget. With a budget of 0 only the marker is left. */
export function truncatedBytes(bytes: Bytes, budget: Tokens): Bytes {
  const kept = budget * BYTES_PER_TOKEN;
  if (bytes <= kept) return bytes;
  return kept + MARKER_BYTES + `${tokensOfBytes(bytes - kept)}`.length;
}

/** Maximum bytes of an item's JSON beyond the known parts, such as ids and metadata. */
const MAX_UNKNOWN_BYTES: Bytes = 512;

/** Usual length of a call's id, which is part of `OUTPUT_BYTES`; other agents' ids may be shorter or longer. */
const CALL_ID_BYTES: Bytes = "call_0123456789abcdefghijklmn".length;

/**
 * True if a token count is likely Codex's own count of an item of about these bytes: it may be at most a little larger, and smaller by no more
 * than the length of an id.
 */
export function isOwnCount(tokens: Tokens, bytes: Bytes): boolean {
  const unknown = tokens * BYTES_PER_TOKEN - bytes;
  return unknown >= -CALL_ID_BYTES && unknown <= MAX_UNKNOWN_BYTES;
}

/**
 * Tokens of an item whose JSON changes from `before` to `after` bytes. If `tokens` is Codex's own count of the item, the result is right to one
 * token, and exact if the item holds nothing but those bytes. Under any other estimator the tokens change in proportion.
 */
export function resized(tokens: Tokens, before: Bytes, after: Bytes): Tokens {
  if (before <= 0 || before === after) return tokens;
  if (tokens === tokensOfBytes(before)) return tokensOfBytes(after);
  if (isOwnCount(tokens, before)) return Math.max(0, tokens - Math.floor((before - after) / BYTES_PER_TOKEN));
  return Math.ceil((tokens * after) / before);
}
