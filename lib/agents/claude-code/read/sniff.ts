import { isObject } from "@/lib/core/records/fields";
import { sniffCaptured } from "./captured";

type JsonObject = Readonly<Record<string, unknown>>;

/** Boundary text of ClawdCode, whose records otherwise look alike. */
const CLAWDCODE_BOUNDARY = "=== 上下文压缩边界 ===";

/**
 * True if the first records of a file are Claude Code's. ClawdCode's records look alike, but they have neither `isSidechain` nor `userType`, or have
 * rows of type `tool_use` and `tool_result`, or a boundary text of their own. Qwen Code's messages have `parts`.
 */
export function sniffClaudeCode(head: readonly JsonObject[]): boolean {
  if (head.some(isForeignRecord)) return false;
  return head.some(isClaudeCodeRecord) || sniffCaptured(head);
}

function isForeignRecord(record: JsonObject): boolean {
  if (record.type === "tool_use" || record.type === "tool_result") return true;
  if (record.content === CLAWDCODE_BOUNDARY) return true;
  if (!isObject(record.message)) return false;
  return "parts" in record.message || record.message.content === CLAWDCODE_BOUNDARY;
}

function isClaudeCodeRecord(record: JsonObject): boolean {
  switch (record.type) {
    case "user":
    case "assistant":
    case "system":
    case "progress":
    case "attachment":
      return ("isSidechain" in record || "userType" in record) && ("uuid" in record || "parentUuid" in record);
    case "summary":
      return typeof record.summary === "string" && "leafUuid" in record;
    case "file-history-snapshot":
      return "snapshot" in record && "messageId" in record;
    case "queue-operation":
      return typeof record.operation === "string" && "sessionId" in record;
    case "ai-title":
    case "custom-title":
    case "agent-name":
    case "last-prompt":
    case "permission-mode":
    case "pr-link":
    case "worktree-state":
    case "frame-link":
    case "relocated":
    case "bridge-session":
    case "atis-latch":
      return "sessionId" in record;
    default:
      return false;
  }
}
