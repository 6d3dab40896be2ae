import { isObject, type JsonObject, objectsOf } from "@/lib/agents/shared/json";

/** The kinds of line in a session file, by the first matching rule. Source: README.md, "Formats". */
export type SessionLine =
  | { readonly kind: "rewind"; readonly to: string }
  | { readonly kind: "message"; readonly message: JsonObject }
  /** If present, `messages` replace the whole list. */
  | { readonly kind: "update"; readonly fields: JsonObject; readonly messages: readonly JsonObject[] | undefined }
  /** `messages` are added to the list. */
  | { readonly kind: "metadata"; readonly fields: JsonObject; readonly messages: readonly JsonObject[] }
  | { readonly kind: "other" };

export function sessionLine(record: JsonObject): SessionLine {
  if (typeof record.$rewindTo === "string") return { kind: "rewind", to: record.$rewindTo };
  if (typeof record.id === "string") return { kind: "message", message: record };
  if (isObject(record.$set)) {
    const fields = record.$set;
    return { kind: "update", fields, messages: Array.isArray(fields.messages) ? listed(fields.messages) : undefined };
  }
  if (typeof record.sessionId === "string" && typeof record.projectHash === "string") {
    return { kind: "metadata", fields: record, messages: listed(record.messages) };
  }
  return { kind: "other" };
}

function listed(messages: unknown): readonly JsonObject[] {
  return objectsOf(messages).filter((message) => typeof message.id === "string");
}

/** The messages in a record, in order: the record itself, or the list of an update or of a whole document. */
export function messagesOfRecord(record: JsonObject): readonly JsonObject[] {
  const line = sessionLine(record);
  if (line.kind === "message") return [line.message];
  if (line.kind === "update") return line.messages ?? [];
  return line.kind === "metadata" ? line.messages : [];
}
