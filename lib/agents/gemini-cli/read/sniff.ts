import { isObject, type JsonObject } from "../messages/content";

const TYPES = new Set(["user", "gemini", "info", "error", "warning"]);

/**
 * Whether the first records are Gemini CLI's: a session's line or document has a `sessionId` and a `projectHash`. Where the first line is lost,
 * messages and updates identify the file. Source: README.md, "Forms".
 */
export function sniffGemini(head: readonly JsonObject[]): boolean {
  return head.some(isSession) || (head.some(isGeminiMessage) && head.every(isOwn));
}

function isSession(record: JsonObject): boolean {
  return typeof record.sessionId === "string" && typeof record.projectHash === "string" && record.uuid === undefined;
}

function isGeminiMessage(record: JsonObject): boolean {
  return record.type === "gemini" && typeof record.id === "string" && "content" in record;
}

function isOwn(record: JsonObject): boolean {
  if (isObject(record.$set) || typeof record.$rewindTo === "string") return true;
  return (
    typeof record.id === "string" &&
    typeof record.type === "string" &&
    TYPES.has(record.type) &&
    record.uuid === undefined
  );
}
