import { isObject, type JsonObject, objectsOf } from "@/lib/agents/shared/json";

/** Kinds of custom entry that OpenClaw names itself. Source: lib/agents/openclaw/README.md, "Traps". */
const OPENCLAW_TYPES = new Set(["model-snapshot", "google-turn-ordering-bootstrap"]);

/** True if only OpenClaw writes such a record: a custom entry of its own, or a delivery mirror. A file without such records is pi's. */
export function isOpenClawRecord(record: JsonObject): boolean {
  const { customType, message } = record;
  if (record.type === "custom" && typeof customType === "string") {
    return /^openclaw\b/.test(customType) || OPENCLAW_TYPES.has(customType);
  }
  return isObject(message) && (message.provider === "openclaw" || message.model === "delivery-mirror");
}

/** True if Factory Droid writes such a record: its header, or a message whose content has the parts of Anthropic's API. Source: lib/agents/factory-droid/README.md, "Records". */
export function isDroidRecord({ type, id, message }: JsonObject): boolean {
  if (type === "session_start") return typeof id === "string";
  if (type === "compaction_state") return true;
  if (type !== "message" || !isObject(message) || "timestamp" in message) return false;
  if ("visibility" in message || "modelId" in message) return true;
  return objectsOf(message.content).some((part) => part.type === "tool_use" || part.type === "tool_result");
}
