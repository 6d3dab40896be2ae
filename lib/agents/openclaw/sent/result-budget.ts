import { sumOf } from "@/lib/core/base/numbers";
import type { Chars } from "@/lib/core/base/units";
import { type AgentMessage, blocksOf } from "../messages/message";
import { stringChars } from "../messages/string-chars";
import { isObject, type JsonObject } from "../messages/value";

export function isTextBlock(block: unknown): block is JsonObject & { readonly text: string } {
  return isObject(block) && (block.type === "text" || block.type === "toolResult") && typeof block.text === "string";
}

/** Weighted chars of a result's texts; 0 for other messages. */
export function resultChars(message: AgentMessage): Chars {
  if (message.role !== "toolResult") return 0;
  return sumOf(blocksOf(message).map((block) => (isTextBlock(block) ? stringChars(block.text) : 0)));
}
