import { isObject, type JsonObject, textOf } from "../../json";

/** Whether the first records are opencode's: an exported session, or its messages. Source: README.md, "Form". */
export function sniffOpencode(head: readonly JsonObject[]): boolean {
  return head.some((record) => isExport(record) || isMessage(record));
}

function isExport(record: JsonObject): boolean {
  const { info, messages } = record;
  if (!isObject(info) || !Array.isArray(messages)) return false;
  if (textOf(info.id).startsWith("ses_") || typeof info.projectID === "string") return true;
  return messages.some((message) => isObject(message) && isMessage(message));
}

function isMessage({ info, parts }: JsonObject): boolean {
  if (!isObject(info) || !Array.isArray(parts)) return false;
  return (
    (info.role === "user" || info.role === "assistant") && (typeof info.sessionID === "string" || isObject(info.time))
  );
}
