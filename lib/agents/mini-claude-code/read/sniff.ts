import { isObject, type JsonObject } from "../../json";
import { isMessage } from "./blocks";

/**
 * Whether the first records are a history of the AI SDK: a message, or a list of messages in a document, holds a `tool-call` or a `tool-result`
 * part. Messages of nothing but text may be any chat's.
 */
export function sniffMiniClaudeCode(head: readonly JsonObject[]): boolean {
  return head.some((record) => (Array.isArray(record.messages) ? record.messages : [record]).some(hasToolPart));
}

function hasToolPart(message: unknown): boolean {
  if (!isObject(message) || !isMessage(message) || !Array.isArray(message.content)) return false;
  return message.content.some(
    (part) =>
      isObject(part) &&
      (part.type === "tool-call" || part.type === "tool-result") &&
      typeof part.toolCallId === "string",
  );
}
