import { isObject, type JsonObject } from "@/lib/agents/shared/json";
import { textField } from "@/lib/core/records/fields";

/** Boundary text that the program writes before the summary of the earlier conversation. */
export const BOUNDARY_TEXT = "=== 上下文压缩边界 ===";

/** Kinds of record that only Claude Code writes; other records of both look alike. */
const CLAUDE_CODE_TYPES = new Set([
  "progress",
  "attachment",
  "summary",
  "file-history-snapshot",
  "queue-operation",
  "ai-title",
  "custom-title",
  "agent-name",
  "last-prompt",
  "permission-mode",
  "pr-link",
]);

/**
 * True if the first records of a file are ClawdCode's. Rows of calls and results and the boundary's text are its own. Rows of text alone count as its
 * own if no record has `isSidechain` or `userType` (Claude Code) and no message has `parts` (Qwen Code).
 */
export function sniffClawdcode(head: readonly JsonObject[]): boolean {
  if (head.some(hasParts)) return false;
  if (head.some(isOwn)) return true;
  return head.some(isTextRow) && !head.some(isClaudeCode);
}

function hasParts({ message }: JsonObject): boolean {
  return isObject(message) && "parts" in message;
}

function isOwn(record: JsonObject): boolean {
  if (!isEntry(record)) return false;
  if (record.type === "tool_use") return isObject(record.tool);
  if (record.type === "tool_result") return isObject(record.toolResult);
  return isObject(record.message) && record.message.content === BOUNDARY_TEXT;
}

function isTextRow(record: JsonObject): boolean {
  const { type, message } = record;
  if (type !== "user" && type !== "assistant" && type !== "system") return false;
  return isEntry(record) && isObject(message) && "content" in message;
}

function isEntry(record: JsonObject): boolean {
  return typeof record.uuid === "string" && "parentUuid" in record && typeof record.sessionId === "string";
}

function isClaudeCode(record: JsonObject): boolean {
  return "isSidechain" in record || "userType" in record || CLAUDE_CODE_TYPES.has(textField(record.type) ?? "");
}
