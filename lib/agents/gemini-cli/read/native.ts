import { isObject, type JsonObject, objectsOf, parsedOr } from "@/lib/agents/shared/json";
import { type BlockContent, textAt } from "@/lib/core/tokens/item-estimator";
import type { Block, Message } from "@/lib/core/transcript/model";
import { type Content, type Part, responseOf } from "../messages/content";
import { contentOf, type DraftContent, draftsOf } from "./blocks";

/** A part of a content, and its number of message blocks: one, or a response's block and those nested in it. */
export interface NativePart {
  readonly part: Part;
  readonly blocks: number;
}

/** The content for a message, with its parts in the order of the message's blocks. */
interface NativeContent {
  readonly content: Content;
  readonly parts: readonly NativePart[];
}

/**
 * The content for a message: on Gemini CLI's own files the recorded one, elsewhere the one that it would be.
 * @param contents the blocks' texts and records, in their order
 */
export function nativeContent(message: Message, contents: readonly BlockContent[], format: string): NativeContent {
  const own = format === "gemini-cli" ? recordedContent(message, contents) : undefined;
  return own ?? toNative(message, contents);
}

/**
 * Our message as Gemini CLI would hold it: one content with a part for each block, where an image within a result goes into the response. Our model
 * loses the fields that only Gemini CLI has (signatures, media types, fields of a response besides its text).
 */
function toNative(message: Message, contents: readonly BlockContent[]): NativeContent {
  const parts: NativePart[] = [];
  message.blocks.forEach((block, index) => {
    const text = textAt(contents, index);
    const last = parts.at(-1);
    const response = last === undefined ? undefined : responseOf(last.part);
    if (last !== undefined && block.kind === "image" && block.callId !== undefined && response !== undefined) {
      const nested = [...objectsOf(response.parts), imagePart(text)];
      parts[parts.length - 1] = {
        part: { functionResponse: { ...response, parts: nested } },
        blocks: last.blocks + 1,
      };
    } else parts.push({ part: nativePart(block, text), blocks: 1 });
  });
  const role = message.role === "assistant" ? "model" : "user";
  return { content: { role, parts: parts.map(({ part }) => part) }, parts };
}

function nativePart(block: Block, text: string): Part {
  switch (block.kind) {
    case "text":
      return { text };
    case "thinking":
      return { text, thought: true };
    case "image":
      return imagePart(text);
    case "tool_call":
      return { functionCall: { ...named(block), args: argumentsOf(text) } };
    case "tool_result":
      return { functionResponse: { ...named(block), response: block.isError ? { error: text } : { output: text } } };
  }
}

function named(block: Block): JsonObject {
  return { ...(block.callId === undefined ? {} : { id: block.callId }), name: block.tool ?? "" };
}

function imagePart(payload: string): Part {
  return { inlineData: { mimeType: "image/png", data: payload } };
}

/** Arguments must be an object, but another agent's may be a text. */
function argumentsOf(text: string): JsonObject {
  const value = parsedOr(text);
  return isObject(value) ? value : { input: value };
}

const cache = new WeakMap<JsonObject, ReadonlyMap<number, NativeContent>>();

/** The recorded content that begins with the message's first block. */
function recordedContent(message: Message, contents: readonly BlockContent[]): NativeContent | undefined {
  const record = contents[0]?.record;
  const part = message.blocks[0]?.source.part;
  if (record === undefined || part === undefined) return undefined;
  const known = cache.get(record) ?? located(record);
  cache.set(record, known);
  return known.get(part);
}

function located(record: JsonObject): ReadonlyMap<number, NativeContent> {
  const byPart = new Map<number, NativeContent>();
  let first = 0;
  for (const draft of draftsOf(record).flat()) {
    if (draft.blocks.length > 0) byPart.set(first, { content: contentOf(draft), parts: partsOfDraft(draft) });
    first += draft.blocks.length;
  }
  return byPart;
}

function partsOfDraft({ parts, blocks }: DraftContent): readonly NativePart[] {
  const counts = parts.map(() => 0);
  for (const { part } of blocks) counts[part] = (counts[part] ?? 0) + 1;
  return parts.map((part, index) => ({ part, blocks: counts[index] ?? 0 }));
}
