import { isOpenClawRecord } from "../../entry-tree/sniff";
import { isObject, type JsonObject } from "../../json";

/** Roles that a message entry may have. */
const ROLES = new Set([
  "user",
  "assistant",
  "toolResult",
  "bashExecution",
  "custom",
  "hookMessage",
  "branchSummary",
  "compactionSummary",
  "system",
]);

/**
 * Whether the first records of a file are pi's own. OpenClaw writes the same format; custom entries of its own, or a delivery mirror, show that a
 * file is OpenClaw's.
 */
export function sniffPi(head: readonly JsonObject[]): boolean {
  return head.some(isPiRecord) && !head.some(isOpenClawRecord);
}

function isPiRecord(record: JsonObject): boolean {
  if (typeof record.timestamp !== "string") return false;
  switch (record.type) {
    case "session":
      return typeof record.id === "string" && (typeof record.cwd === "string" || typeof record.version === "number");
    case "message":
      return isObject(record.message) && typeof record.message.role === "string" && ROLES.has(record.message.role);
    case "compaction":
      return typeof record.summary === "string" && ("firstKeptEntryId" in record || "firstKeptEntryIndex" in record);
    case "branch_summary":
      return typeof record.summary === "string" && "fromId" in record;
    case "model_change":
      return typeof record.provider === "string" && typeof record.modelId === "string";
    case "thinking_level_change":
      return typeof record.thinkingLevel === "string";
    case "custom_message":
      return typeof record.customType === "string" && "content" in record;
    default:
      return false;
  }
}
