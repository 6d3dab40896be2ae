import { isObject, type JsonObject } from "@/lib/agents/shared/json";
import { isRecordType } from "./chain";

/**
 * True if the first records of a file are Qwen Code's. Those of Claude Code and ClawdCode look alike but have `message.content`; Gemini CLI's
 * have a `projectHash` and no `uuid`.
 */
export function sniffQwenCode(head: readonly JsonObject[]): boolean {
  return head.some(isQwenRecord) && !head.some(isForeignRecord);
}

function isForeignRecord(record: JsonObject): boolean {
  if ("projectHash" in record) return true;
  return isObject(record.message) && "content" in record.message && !("parts" in record.message);
}

function isQwenRecord(record: JsonObject): boolean {
  const { type, message } = record;
  if (typeof record.uuid !== "string" || typeof record.sessionId !== "string" || !("parentUuid" in record))
    return false;
  if (!isRecordType(type)) return false;
  if (type === "system") return typeof record.subtype === "string" && "systemPayload" in record;
  if (isObject(message)) return Array.isArray(message.parts);
  return type === "assistant" && isObject(record.usageMetadata);
}
