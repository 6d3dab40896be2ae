import { isObject, jsonOf } from "@/lib/agents/shared/json";
import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { Message } from "@/lib/core/transcript/model";
import { branchSummaryText, compactionSummaryText } from "../../entry-tree/wrappers";
import { SUMMARY_RESULT_CHARS } from "../base/constants";
import { type PiPreset, piPreset } from "../base/presets";
import { contextMessages } from "../messages/entry";
import { type AssistantMessage, contentText, type PiMessage } from "../messages/message";
import { nativeEntries } from "../messages/native";
import { bashExecutionText } from "../messages/wrappers";

/**
 * The history as one text for the summarising model. The template around it is not known exactly; the beginning of a turn that the cut splits goes
 * into a call of its own. Source: README.md, "Summary text" and "Text that is summarised".
 */
export function summaryPromptOf(
  history: readonly { readonly message: Message; readonly contents: readonly BlockContent[] }[],
  preset: string,
  format: string,
) {
  const messages = history
    .flatMap(({ message, contents }) => nativeEntries(message, contents, format))
    .flatMap(({ entry }) => contextMessages(entry))
    .map(asRead);
  return {
    system: null,
    text: serializeConversation(messages, piPreset(preset)),
    notes: ["systemUnknown", "instructionsUnknown", "splitTurn"] as const,
  };
}

/** A message as the model reads it: messages that are neither typed nor responses are user messages. */
function asRead(message: PiMessage): PiMessage {
  switch (message.role) {
    case "custom":
      return { role: "user", content: message.content };
    case "bashExecution":
      return { role: "user", content: bashExecutionText({ ...message }) };
    case "branchSummary":
      return { role: "user", content: branchSummaryText(message.summary) };
    case "compactionSummary":
      return { role: "user", content: compactionSummaryText(message.summary) };
    default:
      return message;
  }
}

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

/** The first 2,000 units, or one less if the cut would split a surrogate pair. The number of missing units is counted from 2,000 on. */
function cutResult(text: string): string {
  if (text.length <= SUMMARY_RESULT_CHARS) return text;
  const pair = text.codePointAt(SUMMARY_RESULT_CHARS - 1) ?? 0;
  const head = text.slice(0, pair > 0xffff ? SUMMARY_RESULT_CHARS - 1 : SUMMARY_RESULT_CHARS);
  return `${head}\n\n[... ${text.length - SUMMARY_RESULT_CHARS} more characters truncated]`;
}
