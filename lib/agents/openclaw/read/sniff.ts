import { isOpenClawRecord } from "../../entry-tree/sniff";
import type { JsonObject } from "../messages/value";

/** Entry types of the format, which is pi's. */
const ENTRY_TYPES = new Set([
  "session",
  "message",
  "compaction",
  "branch_summary",
  "custom",
  "custom_message",
  "model_change",
  "thinking_level_change",
  "session_info",
  "label",
  "reset",
  "leaf",
]);

/**
 * Whether the first records of a file are OpenClaw's: pi's format, with an entry of OpenClaw's own or a delivery mirror. A file without those is
 * pi's. This rule is ours.
 */
export function sniffOpenClaw(head: readonly JsonObject[]): boolean {
  return head.some(isOpenClawRecord) && head.some(isEntry);
}

function isEntry(record: JsonObject): boolean {
  return typeof record.timestamp === "string" && typeof record.type === "string" && ENTRY_TYPES.has(record.type);
}
