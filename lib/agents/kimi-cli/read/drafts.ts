import { idOf, nameOf } from "@/lib/agents/shared/ids";
import {
  isObject,
  type JsonObject,
  jsonOf,
  listOf,
  objectOf,
  parsedOr,
  textOf,
  textOrJson,
} from "@/lib/agents/shared/json";
import type { DraftBlock } from "@/lib/core/transcript/draft";

/** A message of the wire: its type and its payload; `undefined` for other records. */
export function wireMessage({
  message,
}: JsonObject): { readonly type: string; readonly payload: JsonObject } | undefined {
  const { type, payload } = objectOf(message);
  return typeof type === "string" ? { type, payload: objectOf(payload) } : undefined;
}

/** Content of a record that the model reads or wrote, in the order of its parts; empty for records without any. */
export function draftsOf(record: JsonObject): readonly DraftBlock[] {
  const message = wireMessage(record);
  if (message === undefined) return [];
  const { type, payload } = message;
  switch (type) {
    case "TurnBegin":
    case "SteerInput":
      return inputBlocks(payload.user_input);
    case "ContentPart":
      return [partBlock(payload)];
    case "ToolCall":
      return [callBlock(payload)];
    case "ToolCallPart":
      return [{ kind: "tool_call", text: textOrJson(payload.arguments_part) }];
    case "ToolResult":
      return resultBlocks(payload);
    default:
      return [];
  }
}

function inputBlocks(input: unknown): readonly DraftBlock[] {
  return Array.isArray(input) ? input.map(partBlock) : [{ kind: "text", text: textOrJson(input) }];
}

const MEDIA = ["image_url", "audio_url", "video_url"];

function partBlock(part: unknown): DraftBlock {
  if (!isObject(part)) return { kind: "text", text: textOrJson(part) };
  const type = textOf(part.type);
  if (type === "text") return { kind: "text", text: textOrJson(part.text) };
  if (type === "think") return { kind: "thinking", text: textOrJson(part.think) };
  if (MEDIA.includes(type)) return { kind: "image", text: textOf(objectOf(part[type]).url), payload: true };
  return { kind: "text", text: jsonOf(part), odd: `content ${type || "part"}` };
}

function callBlock({ id, function: called }: JsonObject): DraftBlock {
  const { name, arguments: given } = objectOf(called);
  return { kind: "tool_call", text: textOrJson(given), callId: idOf(id), tool: nameOf(name) };
}

/** The file that a call's complete arguments name. */
export function fileIn(args: string): string | undefined {
  return nameOf(objectOf(parsedOr(args)).path);
}

/** A result as Kimi CLI's message: its note in `<system>`, then the output. Source: README.md, "Tool results". */
function resultBlocks({ tool_call_id, return_value }: JsonObject): readonly DraftBlock[] {
  const { is_error, output, message } = objectOf(return_value);
  const note = textOrJson(message);
  const parts = listOf(output).map(partBlock);
  const isText = ({ kind, odd }: DraftBlock) => kind === "text" && odd === undefined;
  const texts = [
    ...(is_error === true ? [`<system>ERROR: ${note}</system>`] : note === "" ? [] : [`<system>${note}</system>`]),
    ...(Array.isArray(output) ? parts.filter(isText).map(({ text }) => text) : [textOrJson(output)]),
  ].filter((text) => text !== "");
  const text = texts.length > 0 ? texts.join("\n") : `<system>${parts.length > 0 ? NO_TEXT : EMPTY}</system>`;
  const first: DraftBlock = { kind: "tool_result", text, callId: idOf(tool_call_id), isError: is_error === true };
  return [first, ...parts.filter((part) => !isText(part))];
}

const EMPTY = "Tool output is empty.";
const NO_TEXT = "Tool returned non-text content.";
