import type { JsonObject } from "../json";
import type { Exchange } from "./draft";
import { exchangesOf, hasToolShape, isHistoryMessage } from "./exchanges";

/**
 * Whether the first records are an API's: a request or a response in whatever wrapper, or a history of messages of which one
 * calls a tool as an API writes it. A history of text alone is plain chat.
 */
export function sniffApiLog(head: readonly JsonObject[]): boolean {
  if (head.some((record) => exchangesOf(record).some(isApiCall))) return true;
  return head.length > 0 && head.every(isHistory) && head.some(hasToolShape);
}

function isApiCall({ request, response }: Exchange): boolean {
  return request !== undefined || (response?.messages.length ?? 0) > 0;
}

/** Messages of agents that keep more than the API asks for are their own. */
function isHistory(record: JsonObject): boolean {
  return isHistoryMessage(record) && !("uuid" in record) && !("parts" in record);
}
