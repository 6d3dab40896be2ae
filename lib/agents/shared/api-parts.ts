import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { isObject, parsedOr, textOf, textOrJson } from "@/lib/agents/shared/json";
import type { DraftBlock, DraftMessage } from "@/lib/core/transcript/draft";
import type { Message } from "@/lib/core/transcript/model";

/** Elements common to the APIs: content as text or as a list of parts, calls with arguments, results with text. */

export function textBlock(value: unknown): DraftBlock {
  return { kind: "text", text: textOrJson(value) };
}

export function thinkingBlock(value: unknown): DraftBlock {
  return { kind: "thinking", text: textOrJson(value) };
}

/** Encoded content: an image, a document, encrypted reasoning. */
export function payloadBlock(kind: "image" | "thinking", value: unknown): DraftBlock {
  return { kind, text: textOrJson(value), payload: true };
}

/** A part of an unknown kind, as text or JSON. */
export function oddBlock(part: unknown): DraftBlock {
  const type = isObject(part) ? textOf(part.type) : "";
  return { ...textBlock(part), odd: `content ${type === "" ? "part" : type}` };
}

/** A call; arguments that are a JSON string stay a string. */
export function callBlock(id: unknown, name: unknown, input: unknown): DraftBlock {
  const given = typeof input === "string" ? parsedOr(input) : input;
  const { path, file_path } = isObject(given) ? given : {};
  return {
    kind: "tool_call",
    text: textOrJson(input ?? {}),
    callId: idOf(id),
    tool: nameOf(name),
    file: nameOf(file_path) ?? nameOf(path),
  };
}

/** The blocks of a result that is a text or a list of parts: its text, then each image as a block. */
export function resultBlocks(id: unknown, content: unknown, isError = false): readonly DraftBlock[] {
  const parts = Array.isArray(content) ? content : [content ?? ""];
  const images = parts.filter(isImage).map((part) => payloadBlock("image", part));
  const texts = parts.filter((part) => !isImage(part)).map(resultText);
  return [{ kind: "tool_result", text: texts.join("\n"), callId: idOf(id), isError }, ...images];
}

function resultText(part: unknown): string {
  return isObject(part) && typeof part.text === "string" ? part.text : textOrJson(part);
}

const IMAGES = new Set([
  "image",
  "image_url",
  "input_image",
  "document",
  "file",
  "input_file",
  "input_audio",
  "computer_screenshot",
]);

function isImage(part: unknown): boolean {
  return isObject(part) && IMAGES.has(textOf(part.type));
}

const TEXTS = new Set(["text", "input_text", "output_text", "summary_text", "reasoning_text"]);

/** The blocks of content that is a text or a list of texts, refusals and images. */
export function contentBlocks(content: unknown): readonly DraftBlock[] {
  if (content === undefined || content === null) return [];
  return (Array.isArray(content) ? content : [content]).map((part) => {
    if (!isObject(part)) return textBlock(part);
    if (TEXTS.has(textOf(part.type))) return textBlock(part.text);
    if (part.type === "refusal") return textBlock(part.refusal);
    return isImage(part) ? payloadBlock("image", part) : oddBlock(part);
  });
}

export function responseMessage(blocks: readonly DraftBlock[]): DraftMessage {
  return { role: "assistant", origin: "response", blocks: blocks.length === 0 ? [textBlock("")] : blocks };
}

/** A system message within the conversation. */
export function contextMessage(blocks: readonly DraftBlock[]): DraftMessage {
  return { role: "system", origin: "context", blocks };
}

/**
 * The messages in one user message, each with a single origin: every result with its images, reminders that the agent inserted, and the user's own
 * text.
 */
export function userMessages(groups: readonly (readonly DraftBlock[])[]): readonly DraftMessage[] {
  const messages: { role: "user"; origin: Message["origin"]; blocks: DraftBlock[] }[] = [];
  for (const blocks of groups) {
    const origin = originOf(blocks[0]);
    const last = messages.at(-1);
    if (last?.origin === origin && origin !== "tool") last.blocks.push(...blocks);
    else messages.push({ role: "user", origin, blocks: [...blocks] });
  }
  return messages;
}

/** Beginnings of texts that agents insert into user messages. Source: recordings of Claude Code, Codex and Gemini CLI. */
const INSERTED = ["<system-reminder>", "<environment_context>", "<user_instructions>", "<permissions instructions>"];

function originOf(block: DraftBlock | undefined): Message["origin"] {
  if (block?.kind === "tool_result") return "tool";
  const text = block?.kind === "text" ? block.text.slice(0, 200).trimStart() : "";
  return INSERTED.some((mark) => text.startsWith(mark)) ? "context" : "typed";
}
