import { isObject, type JsonObject } from "@/lib/agents/shared/json";

/** Kinds of custom entry that OpenClaw names itself. Source: lib/agents/openclaw/README.md, "Traps". */
const OPENCLAW_TYPES = new Set(["model-snapshot", "google-turn-ordering-bootstrap"]);

/** True if only OpenClaw writes such a record: a custom entry of its own, or a delivery mirror. A file of entries without any is pi's. */
export function isOpenClawRecord(record: JsonObject): boolean {
  const { customType, message } = record;
  if (record.type === "custom" && typeof customType === "string") {
    return /^openclaw\b/.test(customType) || OPENCLAW_TYPES.has(customType);
  }
  return isObject(message) && (message.provider === "openclaw" || message.model === "delivery-mirror");
}
