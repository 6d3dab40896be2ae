import { type AgentMessage, blocksOf } from "@/lib/agents/openclaw/messages/message";
import { isObject, type JsonObject, listOf, objectOf, textOf } from "@/lib/agents/openclaw/messages/value";

/** Reads the inputs of golden cases, and writes answers in their shape. */

/** Cases write absent values as null. */
export function withoutNulls(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

export function objectsOf(value: unknown): readonly JsonObject[] {
  return listOf(value).filter(isObject);
}

export function messagesOf(value: unknown): readonly AgentMessage[] {
  return objectsOf(value);
}

/** Positions in the given list; a message that is not in it is returned unchanged. */
export function positions(given: readonly unknown[], answer: readonly unknown[]): readonly unknown[] {
  return answer.map((entry) => {
    const at = given.indexOf(entry);
    return at >= 0 ? at : inserted(objectOf(entry));
  });
}

function inserted(message: AgentMessage): unknown {
  const { toolCallId, toolName, isError } = message;
  return { synthetic: true, toolCallId, toolName, text: blocksOf(message)[0]?.text, isError };
}

export function indices(given: readonly AgentMessage[], chunks: readonly (readonly AgentMessage[])[]): unknown {
  return chunks.map((chunk) => positions(given, chunk));
}

export function partsOf(input: JsonObject): number | undefined {
  return numberOrNothing(input.parts);
}

export function textSet(value: unknown): Set<string> {
  return new Set(listOf(value).flatMap((entry) => textOf(entry) ?? []));
}

/** Numbers that JSON cannot hold may be given as texts. */
export function numberOrNothing(value: unknown): number | undefined {
  return value === undefined || value === null ? undefined : Number(value);
}

export function numberOrNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
