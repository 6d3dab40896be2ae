import { parsedOr } from "@/lib/agents/shared/json";
import { type BlockContent, textAt } from "@/lib/core/tokens/item-estimator";
import type { Message } from "@/lib/core/transcript/model";
import { draftOf } from "../read/blocks";
import type { CoreMessage } from "./message";

/** A message made from one of ours, with its blocks. */
export interface NativeMessage {
  readonly message: CoreMessage;
  readonly blocks: readonly number[];
}

/** The history's messages for one of ours: on its own files the recorded message, elsewhere those that it would be. */
export function nativeMessages(
  message: Message,
  contents: readonly BlockContent[],
  format: string,
): readonly NativeMessage[] {
  const own = format === "mini-claude-code" ? recordedMessage(message, contents) : undefined;
  return own === undefined
    ? toNative(message, contents)
    : [{ message: own, blocks: message.blocks.map((_, at) => at) }];
}

/** The recorded message that ours was read from: the one with the part of our first block. */
function recordedMessage(message: Message, contents: readonly BlockContent[]): CoreMessage | undefined {
  const record = contents[0]?.record;
  if (record === undefined) return undefined;
  const { system, messages } = draftOf(record);
  let part = (message.blocks[0]?.source.part ?? 0) - system.length;
  for (const { value, blocks } of messages) {
    if (part < blocks.length) return { role: value.role, content: value.content };
    part -= blocks.length;
  }
  return undefined;
}

/**
 * Our message as mini-claude-code would hold it: a typed message is a text, a response is a list of parts in AI SDK 4's format, and results are in a
 * message of their own. The program reads only texts: images are omitted.
 */
function toNative(message: Message, contents: readonly BlockContent[]): readonly NativeMessage[] {
  const groups: { readonly ofResults: boolean; readonly blocks: number[] }[] = [];
  message.blocks.forEach(({ kind }, index) => {
    const last = groups.at(-1);
    const ofResults = kind === "tool_result" || (kind === "image" && last?.ofResults === true);
    if (last?.ofResults === ofResults) last.blocks.push(index);
    else groups.push({ ofResults, blocks: [index] });
  });
  return groups.map(({ ofResults, blocks }) => ({
    blocks,
    message: nativeMessage(message, contents, blocks, ofResults ? "tool" : message.role),
  }));
}

function nativeMessage(
  message: Message,
  contents: readonly BlockContent[],
  blocks: readonly number[],
  role: string,
): CoreMessage {
  if (role === "tool" || role === "assistant") {
    return { role, content: blocks.flatMap((index) => partOf(message, contents, index)) };
  }
  const texts = blocks.filter((index) => message.blocks[index]?.kind === "text");
  return { role, content: texts.map((index) => textAt(contents, index)).join("\n") };
}

function partOf(message: Message, contents: readonly BlockContent[], index: number): readonly unknown[] {
  const block = message.blocks[index];
  const text = textAt(contents, index);
  const call = { toolCallId: block?.callId ?? "", toolName: block?.tool ?? "" };
  switch (block?.kind) {
    case "text":
      return [{ type: "text", text }];
    case "thinking":
      return [{ type: "reasoning", text }];
    case "tool_call":
      return [{ type: "tool-call", ...call, args: parsedOr(text) }];
    case "tool_result":
      return [{ type: "tool-result", ...call, result: text, ...(block.isError === true ? { isError: true } : {}) }];
    default:
      return [];
  }
}
