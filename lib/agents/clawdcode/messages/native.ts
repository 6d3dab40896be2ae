import { type BlockContent, textAt } from "@/lib/core/tokens/item-estimator";
import type { Message } from "@/lib/core/transcript/model";
import type { ClawdMessage } from "./message";

/** A message made from one of ours, with its blocks. */
export interface NativeMessage {
  readonly message: ClawdMessage;
  readonly blocks: readonly number[];
}

/**
 * Our message as ClawdCode would hold it: every result is a message of its own, and the texts between results are one message, together with the
 * calls. For its own files this is the inverse of the reader. ClawdCode holds only texts: images are omitted; reasoning is held but not counted.
 * @param contents the blocks' texts, in their order
 */
export function toNative(message: Message, contents: readonly BlockContent[]): readonly NativeMessage[] {
  return groupsOf(message.blocks.map((block) => block.kind)).map((blocks) => ({
    message: nativeMessage(message, contents, blocks),
    blocks,
  }));
}

/** Groups blocks by ClawdCode's messages: a result takes the images after it. */
function groupsOf(kinds: readonly Message["blocks"][number]["kind"][]): readonly (readonly number[])[] {
  const groups: number[][] = [];
  let ofResult = false;
  kinds.forEach((kind, index) => {
    const joins = kind !== "tool_result" && (!ofResult || kind === "image");
    const last = groups.at(-1);
    if (joins && last !== undefined) last.push(index);
    else groups.push([index]);
    if (!joins || last === undefined) ofResult = kind === "tool_result";
  });
  return groups;
}

function nativeMessage(message: Message, contents: readonly BlockContent[], blocks: readonly number[]): ClawdMessage {
  const textsOf = (...kinds: string[]) =>
    blocks
      .filter((index) => kinds.includes(message.blocks[index]?.kind ?? ""))
      .map((index) => textAt(contents, index))
      .join("\n");
  const first = message.blocks[blocks[0] ?? 0];
  if (first?.kind === "tool_result") {
    return {
      role: "tool",
      content: textsOf("tool_result"),
      ...(first.callId === undefined ? {} : { tool_call_id: first.callId }),
      ...(first.tool === undefined ? {} : { name: first.tool }),
    };
  }
  const reasoning = textsOf("thinking");
  const calls = blocks.flatMap((index) => nativeCall(message, contents, index));
  return {
    role: message.role,
    content: textsOf("text"),
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function nativeCall(message: Message, contents: readonly BlockContent[], index: number): readonly unknown[] {
  const block = message.blocks[index];
  if (block?.kind !== "tool_call") return [];
  const called = { name: block.tool ?? "", arguments: textAt(contents, index) };
  return [{ ...(block.callId === undefined ? {} : { id: block.callId }), type: "function", function: called }];
}
