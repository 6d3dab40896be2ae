import type { Bytes, Tokens } from "@/lib/core/base/units";
import { apportion } from "@/lib/core/tokens/item-estimator";
import type { Block } from "@/lib/core/transcript/model";
import { HIDDEN_PER_REASONING_TOKEN } from "../base/constants";
import { contentItems, encryptedContent, isCompactionItem, type ResponseItem } from "./item";
import { BYTES_PER_TOKEN, encryptedLength, reasoningBytes } from "./tokens";

/**
 * Encrypted content that the publisher of a recording removed. Codex itself always writes the field, with content long enough to encode some
 * reasoning.
 */

/** The length as masks state it: `[REDACTED_ENCRYPTED_CONTENT len=1484 sha=…]`. */
const STATED_LENGTH = /\blen(?:gth)?\s*[=:]\s*(\d{1,9})\b/i;

/** Maximum length of encrypted content: the largest output of a model, 128,000 tokens, would take half of it. The bound is ours. */
const MAX_HIDDEN_BYTES: Bytes = 1 << 20;

/** Length of an item's encrypted content, even if only a mask states it; `undefined` if unknown. */
function knownLength(item: ResponseItem): Bytes | undefined {
  const content = encryptedContent(item);
  if (content === undefined) return undefined;
  if (reasoningBytes(content.length) > 0) return content.length;
  const stated = Number(STATED_LENGTH.exec(content)?.[1] ?? Number.NaN);
  return stated <= MAX_HIDDEN_BYTES ? stated : undefined;
}

/** Bytes of text behind an item's encrypted content; 0 if unknown. */
export function hiddenBytes(item: ResponseItem): Bytes {
  return reasoningBytes(knownLength(item) ?? 0);
}

/** True for reasoning whose text and length are both missing from the file. */
export function isMaskedReasoning(item: ResponseItem): boolean {
  if (item.type !== "reasoning" || knownLength(item) !== undefined) return false;
  return !contentItems(item.content).some((entry) => entry.type === "reasoning_text" || entry.type === "text");
}

/**
 * Bytes behind each of a response's masked items. They share the response's reasoning tokens, minus the known part; 0 if that is more than possible.
 */
export function maskedBytes(items: number, reasoning: Tokens, known: Tokens): readonly Bytes[] {
  const tokens = Math.max(0, Math.round(reasoning * HIDDEN_PER_REASONING_TOKEN) - known);
  return apportion(tokens, Array<number>(items).fill(1))
    .map((share) => share * BYTES_PER_TOKEN)
    .map((bytes) => (bytes <= MAX_HIDDEN_BYTES ? bytes : 0));
}

/**
 * The item with encrypted content of its original length: a stand-in, as long as the mask states or as its block was estimated. Other items are
 * returned unchanged.
 */
export function unmasked(item: ResponseItem, block: Block | undefined): ResponseItem {
  if (item.type !== "reasoning" && !isCompactionItem(item)) return item;
  const length = block?.estimated === true ? encryptedLength(block.text.bytes) : knownLength(item);
  const isThere = length === undefined || length === encryptedContent(item)?.length;
  return isThere ? item : { ...item, encrypted_content: "x".repeat(length) };
}
