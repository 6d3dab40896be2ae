import { writtenAs } from "@/lib/core/records/fields";
import { type BlockContent, textAt } from "@/lib/core/tokens/item-estimator";
import type { Message } from "@/lib/core/transcript/model";
import type { ContentItem, ResponseItem } from "./item";

/** An item made from a message, with the message's blocks that it holds. */
export interface NativeItem {
  readonly item: ResponseItem;
  readonly blocks: readonly number[];
}

/**
 * Our message as Codex would hold it: texts and images as one message, and every call, result and thinking as an item of its own. For Codex's own
 * files this is the inverse of the reader for messages, function calls and their outputs. Our model loses what only Codex has (custom tools,
 * encrypted reasoning, ids), so there the record itself is measured.
 * @param contents the blocks' texts, in their order
 */
export function toNative(message: Message, contents: readonly BlockContent[]): readonly NativeItem[] {
  const items: { item: ResponseItem; blocks: number[] }[] = [];
  message.blocks.forEach((block, index) => {
    const text = textAt(contents, index);
    const last = items.at(-1);
    switch (block.kind) {
      case "tool_call": {
        const continued = last && continuedCall(last.item, text, block.callId);
        if (last !== undefined && continued !== undefined)
          items[items.length - 1] = { item: continued, blocks: [...last.blocks, index] };
        else {
          items.push(
            single(index, {
              type: "function_call",
              name: block.tool ?? "",
              arguments: text,
              call_id: block.callId ?? "",
            }),
          );
        }
        break;
      }
      case "thinking":
        items.push(single(index, reasoning(text)));
        break;
      case "tool_result":
      case "image":
      case "text": {
        const joined = last && joinedItem(last.item, block.kind, text, message, block.callId);
        if (last !== undefined && joined !== undefined)
          items[items.length - 1] = { item: joined, blocks: [...last.blocks, index] };
        else items.push(single(index, startedItem(block.kind, text, message, block.callId)));
      }
    }
  });
  return items;
}

function single(index: number, item: ResponseItem): { item: ResponseItem; blocks: number[] } {
  return { item, blocks: [index] };
}

/** Another agent's thinking is readable: raw reasoning text, which Codex measures as JSON. */
function reasoning(text: string): ResponseItem {
  const content = text === "" ? [] : [{ type: "reasoning_text", text }];
  return { type: "reasoning", summary: [], content, encrypted_content: null };
}

/** The call with the rest of its arguments, if the block has the same call id: some formats split a call's arguments over records. */
function continuedCall(item: ResponseItem, rest: string, callId: string | undefined): ResponseItem | undefined {
  if (item.type !== "function_call" || callId === undefined || item.call_id !== callId) return undefined;
  return { ...item, arguments: writtenAs(item.arguments) + rest };
}

function startedItem(
  kind: "tool_result" | "image" | "text",
  text: string,
  message: Message,
  callId?: string,
): ResponseItem {
  if (callId !== undefined) {
    return { type: "function_call_output", call_id: callId, output: kind === "image" ? [imageItem(text)] : text };
  }
  if (kind === "tool_result") return { type: "function_call_output", call_id: "", output: text };
  const role = message.role === "system" ? "developer" : message.role;
  return { type: "message", role, content: [kind === "image" ? imageItem(text) : textItem(text, role)] };
}

/** The item with one more part, if the part belongs to it: to the same output, or to a message that continues. */
function joinedItem(
  item: ResponseItem,
  kind: "tool_result" | "image" | "text",
  text: string,
  message: Message,
  callId: string | undefined,
): ResponseItem | undefined {
  if (item.type === "function_call_output") {
    if (callId === undefined || item.call_id !== callId) return undefined;
    const before = Array.isArray(item.output) ? item.output : [textItem(writtenAs(item.output), "user")];
    return { ...item, output: [...before, kind === "image" ? imageItem(text) : textItem(text, "user")] };
  }
  if (item.type !== "message" || kind === "tool_result" || !Array.isArray(item.content)) return undefined;
  const part = kind === "image" ? imageItem(text) : textItem(text, message.role);
  return { ...item, content: [...item.content, part] };
}

function textItem(text: string, role: string): ContentItem {
  return { type: role === "assistant" ? "output_text" : "input_text", text };
}

function imageItem(payload: string): ContentItem {
  return { type: "input_image", image_url: imageUrl(payload) };
}

/** An image's payload as a data URL, unless it already is one. */
export function imageUrl(payload: string): string {
  const isUrl = payload.startsWith("data:") || payload.startsWith("http");
  return isUrl ? payload : `data:image/png;base64,${payload}`;
}
