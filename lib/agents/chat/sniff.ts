import { isObject, type JsonObject, objectsOf, textOf } from "../json";
import { isMessage } from "./blocks";

/** Fields which show that a record is an agent's or an API's, and no message of plain chat. */
const ELSEWHERE = [
  "type",
  "uuid",
  "parentUuid",
  "sessionId",
  "tool_calls",
  "tool_call_id",
  "function_call",
  "usage",
  "parts",
];

/**
 * Whether all of the first records are plain chat: a message with a role and text, or a list of such messages. Tool parts of any kind belong to
 * the AI SDK (`tool-call`) or to an API (`tool_use`); a list of messages with a model belongs to a request.
 */
export function sniffChat(head: readonly JsonObject[]): boolean {
  return head.length > 0 && head.every((record) => isPlain(record) || isList(record));
}

function isList(record: JsonObject): boolean {
  const messages = objectsOf(record.messages);
  return messages.length > 0 && !REQUEST.some((key) => key in record) && messages.every(isPlain);
}

/** Fields of a request to a model, and of an exported session. */
const REQUEST = ["model", "tools", "max_tokens", "stream", "projectHash", "info", "response", "steps", "type"];

function isPlain(value: JsonObject): boolean {
  if (!isMessage(value) || ELSEWHERE.some((key) => key in value)) return false;
  const { content } = value;
  if (!Array.isArray(content)) return typeof content === "string";
  return content.every((part) => typeof part === "string" || (isObject(part) && !isToolPart(part)));
}

function isToolPart({ type }: JsonObject): boolean {
  return /tool|function|thinking|reasoning/.test(textOf(type));
}
