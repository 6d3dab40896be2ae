import type { JsonObject } from "../json";
import type { Exchange } from "./draft";
import { exchangesOf, hasToolShape, isHistoryMessage } from "./exchanges";

/**
 * Whether the first records are an API's: a request or a response in any wrapper, or a history in which one message calls a tool in an API's
 * form. A history of nothing but text is plain chat.
 */
export function sniffApiLog(head: readonly JsonObject[]): boolean {
  if (head.some((record) => exchangesOf(record).some(isApiCall))) return true;
  return head.length > 0 && head.every(isHistory) && head.some(hasToolShape);
}

function isApiCall({ request, response }: Exchange): boolean {
  return request !== undefined || (response?.messages.length ?? 0) > 0;
}

/** Messages with more fields than the API knows belong to an agent. */
function isHistory(record: JsonObject): boolean {
  return isHistoryMessage(record) && !("uuid" in record) && !("parts" in record);
}
