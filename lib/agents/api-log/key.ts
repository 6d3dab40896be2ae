import type { DraftMessage } from "@/lib/core/transcript/draft";

/**
 * The key that distinguishes the messages of a conversation: role, kinds, call ids and texts, without white space at the ends. Thinking is excluded,
 * since later requests need not repeat it.
 */
export function messageKey({ role, blocks }: DraftMessage): string {
  const keyed = blocks.filter(({ kind }) => kind !== "thinking");
  const parts = keyed.map(({ kind, callId, text }) => `${kind} ${callId ?? ""} ${textKey(text.trim())}`);
  return `${role} ${parts.join(" ")}`;
}

/** A text's length and 64 bits of hash: equal texts have equal keys, and the chance that different ones do is negligible. */
export function textKey(text: string): string {
  let [a, b] = [0x811c9dc5, 0x9e3779b9];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x85ebca6b) + (b >>> 13);
  }
  return `${text.length.toString(36)}.${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}`;
}
