import {
  callBlock,
  contextMessage,
  oddBlock,
  payloadBlock,
  responseMessage,
  resultBlocks,
  textBlock,
  thinkingBlock,
  userMessages,
} from "@/lib/agents/shared/api-parts";
import { isObject, type JsonObject, objectsOf, parsedOr, textOf } from "@/lib/agents/shared/json";
import type { DraftBlock, DraftMessage } from "@/lib/core/transcript/draft";
import { messagesOf } from "./anthropic";
import { completionsMessage } from "./chat-completions";

/** Messages as OpenTelemetry's conventions for generative AI record them. Format: README.md, "OpenTelemetry traces". */

/** Attributes of a span or an event by name. */
export type Attributes = ReadonlyMap<string, unknown>;

/** The value of an attribute that may also be recorded as its JSON. */
export function structured(value: unknown): unknown {
  return typeof value === "string" ? parsedOr(value) : value;
}

/** A message with `parts`, or with the `content` of an API. */
export function genAiMessages(message: JsonObject): readonly DraftMessage[] {
  if (!Array.isArray(message.parts)) return apiMessages(message);
  const groups = message.parts.map((part) => (isObject(part) ? partBlocks(part) : [textBlock(part)]));
  if (message.role === "assistant") return [responseMessage(groups.flat())];
  return isSystem(message) ? [contextMessage(groups.flat())] : userMessages(groups);
}

/** Blocks of instructions that are recorded apart from the messages, as a text or a list of parts. */
export function instructionBlocks(value: unknown): readonly DraftBlock[] {
  const given = structured(value);
  if (typeof given === "string") return [textBlock(given)];
  return objectsOf(given).flatMap((part) =>
    (Array.isArray(part.parts) ? objectsOf(part.parts) : [part]).flatMap(partBlocks),
  );
}

/** True for instructions among the messages. */
export function isSystem({ role }: JsonObject): boolean {
  return role === "system" || role === "developer";
}

function apiMessages(message: JsonObject): readonly DraftMessage[] {
  const isOpenAi = "tool_calls" in message || "tool_call_id" in message || message.role === "tool" || isSystem(message);
  return isOpenAi ? completionsMessage(message) : messagesOf(message);
}

function partBlocks(part: JsonObject): readonly DraftBlock[] {
  switch (part.type) {
    case "text":
      return [textBlock(part.content ?? part.text)];
    case "reasoning":
      return [thinkingBlock(part.content)];
    case "tool_call":
      return [callBlock(part.id, part.name, part.arguments)];
    case "server_tool_call":
      return [callBlock(part.id, part.name, part.server_tool_call)];
    case "tool_call_response":
      // The field was called `result` before.
      return resultBlocks(part.id, part.response ?? part.result);
    case "server_tool_call_response":
      return resultBlocks(part.id, part.server_tool_call_response);
    case "blob":
    case "file":
    case "uri":
      return [payloadBlock("image", part.content ?? part.file_id ?? part.uri)];
    case "compaction":
      return [textBlock(part.content ?? "")];
    default:
      return [oddBlock(part)];
  }
}

/** Events of older conventions, each with one message. The content is an attribute, or JSON in an attribute. */
const MESSAGE_EVENTS: ReadonlyMap<string, string> = new Map([
  ["gen_ai.system.message", "system"],
  ["gen_ai.user.message", "user"],
  ["gen_ai.assistant.message", "assistant"],
  ["gen_ai.tool.message", "tool"],
  ["gen_ai.choice", "assistant"],
]);

/** The message of an older event; `undefined` for any other event. */
export function eventMessage(name: string, attributes: Attributes): JsonObject | undefined {
  const role = MESSAGE_EVENTS.get(name);
  if (role === undefined) return undefined;
  const body = structured(attributes.get("gen_ai.event.content") ?? attributes.get("message"));
  const message = isObject(body) ? (isObject(body.message) ? body.message : body) : {};
  const calls = message.tool_calls ?? structured(attributes.get("tool_calls"));
  const id = message.id ?? attributes.get("id");
  return {
    role,
    content: contentOf(message.content ?? attributes.get("content") ?? (isObject(body) ? undefined : body)),
    ...(Array.isArray(calls) ? { tool_calls: calls } : {}),
    ...(role === "tool" ? { tool_call_id: id } : {}),
  };
}

/** A list of parts may be recorded as its JSON; any other string is plain text. An empty string means that the message only has calls. */
function contentOf(value: unknown): unknown {
  const list = structured(value);
  if (Array.isArray(list) && list.every(isObject)) return list;
  return value === "" ? undefined : value;
}

/** An attribute of a message or of its call: `gen_ai.prompt.0.content`, `gen_ai.prompt.0.tool_calls.1.name`. */
const FLAT = /^(\d{1,6})\.(?:tool_calls\.(\d{1,6})\.)?(\w{1,40})$/;

/** Messages recorded with one attribute for each field, as by OpenLLMetry. Returns them in the order of their numbers. */
export function flatMessages(attributes: Attributes, prefix: string): readonly JsonObject[] {
  const messages = new Map<number, { fields: Map<string, unknown>; calls: Map<number, Map<string, unknown>> }>();
  for (const [key, value] of attributes) {
    const [, number, call, field = ""] = (key.startsWith(prefix) && FLAT.exec(key.slice(prefix.length))) || [];
    if (number === undefined) continue;
    const message = messages.get(Number(number)) ?? { fields: new Map(), calls: new Map() };
    messages.set(Number(number), message);
    if (call === undefined) message.fields.set(field, value);
    else message.calls.set(Number(call), (message.calls.get(Number(call)) ?? new Map()).set(field, value));
  }
  return inOrder(messages).map(({ fields, calls }) => ({
    role: fields.get("role"),
    content: contentOf(fields.get("content")),
    ...(textOf(fields.get("tool_call_id")) === "" ? {} : { tool_call_id: fields.get("tool_call_id") }),
    ...(calls.size === 0
      ? {}
      : {
          tool_calls: inOrder(calls).map((call) => ({
            id: call.get("id"),
            function: { name: call.get("name"), arguments: call.get("arguments") },
          })),
        }),
  }));
}

function inOrder<T>(numbered: ReadonlyMap<number, T>): readonly T[] {
  return [...numbered].sort(([a], [b]) => a - b).map(([, value]) => value);
}
