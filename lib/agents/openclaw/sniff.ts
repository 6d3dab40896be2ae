import { isObject, type JsonObject } from "./value";

/** Kinds of custom entry that OpenClaw writes under names of their own. Source: README.md, "Traps". */
const OWN_CUSTOM_TYPES = new Set(["model-snapshot", "google-turn-ordering-bootstrap"]);

/** Kinds of entry of the format, which is pi's. */
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
 * Whether the first records of a file are OpenClaw's: pi's format, with an entry of OpenClaw's own or a delivery mirror.
 * Without those a file is pi's. Source: `issues show 3`, point 5.
 */
export function sniffOpenClaw(head: readonly JsonObject[]): boolean {
  return head.some(isOwnRecord) && head.some(isEntry);
}

function isOwnRecord(record: JsonObject): boolean {
  const { customType, message } = record;
  if (record.type === "custom" && typeof customType === "string") {
    return /^openclaw\b/.test(customType) || OWN_CUSTOM_TYPES.has(customType);
  }
  return isObject(message) && (message.provider === "openclaw" || message.model === "delivery-mirror");
}

function isEntry(record: JsonObject): boolean {
  return typeof record.timestamp === "string" && typeof record.type === "string" && ENTRY_TYPES.has(record.type);
}
