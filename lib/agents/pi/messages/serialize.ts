import { isObject, jsonOf } from "@/lib/agents/shared/json";
import { SUMMARY_RESULT_CHARS } from "../base/constants";
import type { PiPreset } from "../base/presets";
import { type AssistantMessage, contentText, type PiMessage } from "./message";

/** A conversation as the text to be summarised: blocks separated by an empty line. Source: README.md, "Text that is summarised". */
export function serializeConversation(messages: readonly PiMessage[], preset: PiPreset): string {
  return messages.flatMap((message) => serializedBlocks(message, preset)).join("\n\n");
}

function serializedBlocks(message: PiMessage, preset: PiPreset): readonly string[] {
  switch (message.role) {
    case "user": {
      const text = contentText(message.content, "");
      return text === "" ? [] : [`[User]: ${text}`];
    }
    case "assistant":
      return responseBlocks(message, preset);
    case "toolResult": {
      const text = contentText(message.content, "");
      return text === "" ? [] : [`[Tool result]: ${preset === "current" ? cutResult(text) : text}`];
    }
    default:
      return [];
  }
}

function responseBlocks({ content }: AssistantMessage, preset: PiPreset): readonly string[] {
  const thinking = content.flatMap((block) => (block.type === "thinking" ? [block.thinking] : []));
  const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const calls = content.flatMap((block) => (block.type === "toolCall" ? [callText(block.name, block.arguments)] : []));
  return [
    ...(preset === "v0.51.0" && thinking.length > 0 ? [`[Assistant thinking]: ${thinking.join("\n")}`] : []),
    ...(texts.length > 0 ? [`[Assistant]: ${texts.join("\n")}`] : []),
    ...(calls.length > 0 ? [`[Assistant tool calls]: ${calls.join("; ")}`] : []),
  ];
}

function callText(name: string, args: unknown): string {
  const entries = isObject(args) || Array.isArray(args) ? Object.entries(args) : [];
  return `${name}(${entries.map(([key, value]) => `${key}=${jsonOf(value)}`).join(", ")})`;
}

/** The first 2,000 units, or one less where the cut would split a surrogate pair. The number of missing units is counted from 2,000 on. */
function cutResult(text: string): string {
  if (text.length <= SUMMARY_RESULT_CHARS) return text;
  const pair = text.codePointAt(SUMMARY_RESULT_CHARS - 1) ?? 0;
  const head = text.slice(0, pair > 0xffff ? SUMMARY_RESULT_CHARS - 1 : SUMMARY_RESULT_CHARS);
  return `${head}\n\n[... ${text.length - SUMMARY_RESULT_CHARS} more characters truncated]`;
}
