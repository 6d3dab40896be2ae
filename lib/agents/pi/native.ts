import { type BlockContent, textAt } from "@/lib/core/tokens/item-estimator";
import type { Block, Message } from "@/lib/core/transcript/model";
import { parseJson } from "@/lib/core/transcript/nesting";
import { isObject, type JsonObject } from "../json";
import { type PiEntry, toEntry } from "./entry";
import type { PiBlock, PiMessage } from "./message";

/** An entry that a message becomes, and which of the message's blocks it carries. */
export interface NativeEntry {
  readonly entry: PiEntry;
  readonly blocks: readonly number[];
}

/** Kinds of entry among which a message's blocks are shared out. */
type Kind = "user" | "assistant" | "toolResult" | "custom" | "summary";

interface Group {
  readonly kind: Kind;
  readonly callId: string | undefined;
  readonly blocks: number[];
}

/**
 * Our message as pi would hold it: a response is one message, every result one of its own, what a person typed a user message,
 * what an agent put in the message of an extension. On pi's own files it is the inverse of the reader for these; what our model
 * does not hold (signatures, usage, ids, the parts of a shell command) is listed in README.md.
 * @param contents the blocks' texts, in their order
 */
export function toNative(message: Message, contents: readonly BlockContent[]): readonly NativeEntry[] {
  return groupsOf(message).map((group) => ({
    entry: entryOf(group, message, contents),
    blocks: group.blocks,
  }));
}

/** The entries that a message is: on pi's own files the one that was recorded. */
export function nativeEntries(
  message: Message,
  contents: readonly BlockContent[],
  format: string,
): readonly NativeEntry[] {
  const record = format === "pi" ? contents[0]?.record : undefined;
  if (record === undefined) return toNative(message, contents);
  return [{ entry: recordedEntry(record), blocks: message.blocks.map((_, index) => index) }];
}

/** A record of pi's as its entry; messages of hooks, which version 3 renamed, under their new role. */
export function recordedEntry(record: JsonObject): PiEntry {
  const { message } = record;
  const renamed = isObject(message) && message.role === "hookMessage";
  return toEntry(renamed ? { ...record, message: { ...message, role: "custom" } } : record);
}

function groupsOf(message: Message): readonly Group[] {
  const groups: Group[] = [];
  message.blocks.forEach((block, index) => {
    const last = groups.at(-1);
    const kind = kindOf(block, message, last);
    const joins =
      last !== undefined && last.kind === kind && (block.kind !== "tool_result" || isSameResult(block, last));
    if (joins) last.blocks.push(index);
    else groups.push({ kind, callId: block.callId, blocks: [index] });
  });
  return groups;
}

/** A result that another agent holds in several parts is one message here. */
function isSameResult(block: Block, last: Group): boolean {
  return block.callId !== undefined && block.callId === last.callId;
}

function kindOf(block: Block, message: Message, last: Group | undefined): Kind {
  if (block.kind === "tool_result") return "toolResult";
  if (block.kind === "tool_call" || block.kind === "thinking") return "assistant";
  const belongs = block.callId === undefined || block.callId === last?.callId;
  if (block.kind === "image" && last?.kind === "toolResult" && belongs) return "toolResult";
  if (message.origin === "response") return "assistant";
  if (message.origin === "summary") return "summary";
  return message.origin === "context" ? "custom" : "user";
}

function entryOf(group: Group, message: Message, contents: readonly BlockContent[]): PiEntry {
  const text = (index: number) => textAt(contents, index);
  const content = group.blocks.flatMap((index) => {
    const block = message.blocks[index];
    return block === undefined ? [] : [blockOf(block, text(index))];
  });
  const base = { id: undefined, parentId: undefined };
  if (group.kind === "custom") return { ...base, type: "custom_message", content };
  return { ...base, type: "message", message: messageOf(group, message, content, group.blocks.map(text).join("")) };
}

function messageOf(group: Group, message: Message, content: readonly PiBlock[], text: string): PiMessage {
  const result = message.blocks[group.blocks[0] ?? -1];
  switch (group.kind) {
    case "toolResult":
      return {
        role: "toolResult",
        toolCallId: group.callId ?? "",
        toolName: result?.tool ?? "",
        content,
        isError: result?.isError === true,
        nestedCalls: [],
      };
    case "summary":
      return { role: "compactionSummary", summary: text, tokensBefore: undefined };
    case "assistant":
      return { role: "assistant", content };
    default:
      return { role: "user", content };
  }
}

function blockOf(block: Block, text: string): PiBlock {
  switch (block.kind) {
    case "thinking":
      return { type: "thinking", thinking: text };
    case "tool_call":
      return { type: "toolCall", id: block.callId ?? "", name: block.tool ?? "", arguments: argumentsOf(text) };
    case "image":
      return { type: "image", data: text };
    default:
      return { type: "text", text };
  }
}

/** Arguments are an object in pi; a free text becomes its one field. */
function argumentsOf(text: string): unknown {
  try {
    const value: unknown = parseJson(text);
    if (isObject(value)) return value;
  } catch {
    // Not JSON: free text, as below.
  }
  return { input: text };
}
