import { isObject, textOrAnyJson } from "@/lib/agents/shared/json";

/** A message as ClawdCode holds it, in OpenAI's chat format: JSON of any shape, interpreted as the program does. Source: README.md, "Messages". */
export interface ClawdMessage {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly reasoning_content?: unknown;
  readonly tool_calls?: unknown;
  readonly tool_call_id?: unknown;
  readonly name?: unknown;
}

/** One entry of `tool_calls`, with its fields as texts; a missing or empty field is `undefined`. */
export interface ClawdCall {
  readonly id?: string;
  readonly name?: string;
  /** JSON as the model wrote it. */
  readonly arguments?: string;
}

/** The content as the program counts it: a text unchanged, any other value as JSON, and an empty text if it is falsy. */
export function contentText(message: ClawdMessage): string {
  return message.content ? textOrAnyJson(message.content) : "";
}

/** The calls of a message; none if `tool_calls` is not a list. */
export function callsOf(message: ClawdMessage): readonly ClawdCall[] {
  return Array.isArray(message.tool_calls) ? message.tool_calls.map(callOf) : [];
}

function callOf(value: unknown): ClawdCall {
  const call = isObject(value) ? value : {};
  const called = isObject(call.function) ? call.function : {};
  return { ...field("id", call.id), ...field("name", called.name), ...field("arguments", called.arguments) };
}

function field(key: keyof ClawdCall, value: unknown): ClawdCall {
  return value ? { [key]: textOrAnyJson(value) } : {};
}
