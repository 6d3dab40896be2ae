import { isObject, type JsonObject, objectOf, objectsOf, textOf } from "@/lib/agents/shared/json";

/** A message with its parts, as an export holds it. Every field of the file may be missing or have another type. */
export interface SessionMessage {
  readonly info: JsonObject;
  readonly parts: readonly JsonObject[];
}

export function toMessage(value: JsonObject): SessionMessage {
  return { info: objectOf(value.info), parts: objectsOf(value.parts) };
}

export function messageId(message: SessionMessage): string {
  return textOf(message.info.id);
}

/** The part that makes a user message a compaction. */
export function compactionPart(message: SessionMessage): JsonObject | undefined {
  return message.info.role === "user" ? message.parts.find((part) => part.type === "compaction") : undefined;
}

/** True for the answer to a call for a summary, completed or not. */
export function isSummaryCall({ info }: SessionMessage): boolean {
  const { role, summary, agent, mode } = info;
  return role === "assistant" && (summary === true || agent === "compaction" || mode === "compaction");
}

/** True if it is an answer that completed a compaction. */
export function isCompleteSummary(message: SessionMessage): boolean {
  const { role, summary, finish, error } = message.info;
  return role === "assistant" && summary === true && Boolean(finish) && !error;
}

/** True if a tool's output was cleared. */
export function isCleared(part: JsonObject): boolean {
  const { state } = part;
  return isObject(state) && Boolean(objectOf(state.time).compacted);
}
