import { sumOf } from "@/lib/core/base/numbers";
import type { Chars, Tokens } from "@/lib/core/base/units";
import { CURRENT_IMAGE_CHARS, DOCUMENTED_IMAGE_CHARS } from "../base/constants";
import type { OpenClawPreset } from "../base/presets";
import { type AgentMessage, blocksOf } from "./message";
import { stringChars } from "./string-chars";
import { filledText, isObject, type JsonObject, jsonOf, listOf, textOf } from "./value";

/**
 * Tokens of a message: its size in chars divided by four, rounded up once for each message. Release 2026.2.1 has pi 0.51's rule; 2026.9.6 has its
 * own, which gives Chinese, Japanese and Korean a larger weight. Source: README.md, "Sizes".
 */
export function messageTokens(message: AgentMessage, preset: OpenClawPreset): Tokens {
  const chars = preset === "current" ? currentChars(message) : documentedChars(message);
  return Math.ceil(chars / CHARS_PER_TOKEN);
}

const CHARS_PER_TOKEN = 4;

function documentedChars(message: AgentMessage): Chars {
  switch (message.role) {
    case "user":
      return contentChars(message, 0);
    case "assistant":
      return sumOf(blocksOf(message).map((block) => assistantChars(block, (text) => text.length, 0)));
    case "toolResult":
    case "custom":
      return contentChars(message, DOCUMENTED_IMAGE_CHARS);
    case "bashExecution":
      return length(message.command) + length(message.output);
    case "branchSummary":
    case "compactionSummary":
      return length(message.summary);
    default:
      return 0;
  }
}

function length(value: unknown): Chars {
  return textOf(value)?.length ?? 0;
}

function contentChars(message: AgentMessage, imageChars: Chars): Chars {
  if (typeof message.content === "string") return message.content.length;
  return sumOf(
    blocksOf(message).map((block) =>
      block.type === "text" ? length(block.text) : block.type === "image" ? imageChars : 0,
    ),
  );
}

/** Chars of a block in an assistant message: text, thinking, or a call's name and arguments. */
function assistantChars(block: JsonObject, measure: (text: string) => Chars, withoutArguments: Chars): Chars {
  const chars = (value: unknown) => measure(textOf(value) ?? "");
  if (block.type === "text") return chars(block.text);
  if (block.type === "thinking") return chars(block.thinking);
  if (block.type !== "toolCall") return 0;
  const json = jsonOf(block.arguments);
  return chars(block.name) + (json === undefined ? withoutArguments : measure(json));
}

/** Length of `undefined`, which replaces missing arguments in the text. */
const NO_ARGUMENTS = "undefined".length;

function currentChars(message: AgentMessage): Chars {
  if (message.excludeFromContext === true) return 0;
  switch (message.role) {
    case "user":
      return currentContentChars(message) + stringChars(senderSuffix(message));
    case "assistant":
      return sumOf(blocksOf(message).map((block) => assistantChars(block, stringChars, NO_ARGUMENTS)));
    case "toolResult":
    case "custom":
      return currentContentChars(message);
    case "bashExecution":
      return stringChars(textOf(message.command) ?? "") + stringChars(textOf(message.output) ?? "");
    case "branchSummary":
    case "compactionSummary":
      return stringChars(textOf(message.summary) ?? "");
    default:
      return 0;
  }
}

/** Chars of a note on omitted media without its text. */
const NOTE_CHARS: Chars = 17;

function currentContentChars(message: AgentMessage): Chars {
  const content = summaryContent(message.content);
  const images = blocksOf(message).filter((block) => block.type === "image").length;
  const note = content.omitted.length > 0 ? content.omitted.join("\n").length + NOTE_CHARS : 0;
  return stringChars(content.text) + images * CURRENT_IMAGE_CHARS + note;
}

/** The message without its images. */
export function withoutImages(message: AgentMessage): AgentMessage {
  if (!Array.isArray(message.content)) return message;
  return { ...message, content: message.content.filter((block) => !isObject(block) || block.type !== "image") };
}

/** Weighted chars that 2026.9.6 counts for a message without its images: its texts, the line ends between them, and notes. */
export function charsBesideImages(message: AgentMessage): Chars {
  return currentChars(withoutImages(message));
}

/** Content as a summary call receives it: its texts, and a note on omitted media. */
interface SummaryContent {
  readonly text: string;
  readonly omitted: readonly string[];
}

/** Source: README.md, "Sizes". */
export function summaryContent(content: unknown): SummaryContent {
  if (typeof content === "string") return { text: content, omitted: [] };
  const omitted = new Set<string>();
  const texts = listOf(content)
    .filter(isObject)
    .map((block) => {
      const text = blockText(block);
      if (block.type !== "text" && text === "") {
        omitted.add(`[${block.type === "image" ? "image" : "non-text"} data omitted from summary input]`);
      }
      return text;
    });
  return { text: texts.filter((text) => text !== "").join("\n"), omitted: [...omitted] };
}

function blockText(block: JsonObject): string {
  const isResult = block.type === "toolResult" || block.type === "tool_result";
  if (block.type !== "text" && !isResult) return "";
  return filledText(block.text) ?? (isResult ? (textOf(block.content) ?? "") : "");
}

/** The text about a message's sender, if the session knows the sender. */
export function senderSuffix(message: AgentMessage): string {
  const meta = isObject(message.__openclaw) ? message.__openclaw : {};
  const id = senderField(meta.senderId);
  if (id === undefined) return "";
  return ` sender=${JSON.stringify({ id, name: senderField(meta.senderName), username: senderField(meta.senderUsername) })}`;
}

function senderField(value: unknown): string | undefined {
  return filledText(textOf(value)?.replaceAll("\0", "").trim());
}

/** Tokens of a bare text. */
export function textTokens(text: string, preset: OpenClawPreset): Tokens {
  return Math.ceil((preset === "current" ? stringChars(text) : text.length) / CHARS_PER_TOKEN);
}

/** Custom messages of this type are the runtime's own, and never reach a summary. */
const RUNTIME_CONTEXT = "openclaw.runtime-context";

/** Tokens of a message when a compaction plans its summaries: messages that never reach a summary count 0. */
export function planningTokens(message: AgentMessage, preset: OpenClawPreset): Tokens {
  if (preset === "current" && message.role === "custom" && message.customType === RUNTIME_CONTEXT) return 0;
  return messageTokens(message, preset);
}

/** Tokens of several messages. */
export function messagesTokens(messages: readonly AgentMessage[], preset: OpenClawPreset): Tokens {
  return sumOf(messages.map((message) => planningTokens(message, preset)));
}
