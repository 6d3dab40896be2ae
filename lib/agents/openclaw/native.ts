import { type BlockContent, textAt } from "@/lib/core/tokens/item-estimator";
import type { Block, Message } from "@/lib/core/transcript/model";
import { parseJson } from "@/lib/core/transcript/nesting";
import type { SessionEntry } from "./entry";
import { isObject, type JsonObject } from "./value";

/** An entry that a message becomes, and which of the message's blocks it carries. */
export interface NativeEntry {
  readonly entry: SessionEntry;
  readonly blocks: readonly number[];
}

/** Kinds of entry among which a message's blocks are shared out. */
type Kind = "user" | "assistant" | "toolResult" | "custom" | "summary";

interface Group {
  readonly kind: Kind;
  readonly blocks: number[];
}

/**
 * Our message as OpenClaw would hold it: a response is one message, every result one of its own, what a person typed a user
 * message, what an agent put in a custom message. On OpenClaw's own files it is the inverse of the reader for these; what our
 * model does not hold is listed in README.md.
 * @param contents the blocks' texts, in their order
 */
export function toNative(message: Message, contents: readonly BlockContent[]): readonly NativeEntry[] {
  return groupsOf(message).map((group) => ({ entry: entryOf(group, message, contents), blocks: group.blocks }));
}

/** The entries that a message is: on OpenClaw's own files the one that was recorded. */
export function nativeEntries(
  message: Message,
  contents: readonly BlockContent[],
  format: string,
): readonly NativeEntry[] {
  const record = format === "openclaw" ? contents[0]?.record : undefined;
  if (record === undefined) return toNative(message, contents);
  return [{ entry: recordedEntry(record), blocks: message.blocks.map((_, index) => index) }];
}

/** A record as its entry; messages of hooks, which version 3 renamed, under their new role. */
export function recordedEntry(record: JsonObject): SessionEntry {
  const { message } = record;
  const isRenamed = isObject(message) && message.role === "hookMessage";
  return isRenamed ? { ...record, message: { ...message, role: "custom" } } : record;
}

/** A result and each stretch of the others is an entry; an image behind a result belongs to it. */
function groupsOf(message: Message): readonly Group[] {
  const groups: Group[] = [];
  message.blocks.forEach((block, index) => {
    const last = groups.at(-1);
    const kind = kindOf(block, message, last, message.blocks[last?.blocks[0] ?? -1]);
    if (last !== undefined && last.kind === kind && block.kind !== "tool_result") last.blocks.push(index);
    else groups.push({ kind, blocks: [index] });
  });
  return groups;
}

function kindOf(block: Block, message: Message, last: Group | undefined, first: Block | undefined): Kind {
  if (block.kind === "tool_result") return "toolResult";
  if (block.kind === "tool_call" || block.kind === "thinking") return "assistant";
  const isPart = block.callId === undefined || block.callId === first?.callId;
  if (block.kind === "image" && last?.kind === "toolResult" && isPart) return "toolResult";
  if (message.origin === "response") return "assistant";
  if (message.origin === "summary") return "summary";
  return message.origin === "context" ? "custom" : "user";
}

function entryOf({ kind, blocks }: Group, message: Message, contents: readonly BlockContent[]): SessionEntry {
  const text = (index: number) => textAt(contents, index);
  const content = blocks.flatMap((index) => {
    const block = message.blocks[index];
    return block === undefined ? [] : [nativeBlock(block, text(index))];
  });
  switch (kind) {
    case "custom":
      return { type: "custom_message", customType: "recorded", content };
    case "summary":
      return { type: "message", message: { role: "compactionSummary", summary: blocks.map(text).join("") } };
    case "toolResult":
      return { type: "message", message: { role: kind, ...resultFields(message.blocks[blocks[0] ?? -1]), content } };
    default:
      return { type: "message", message: { role: kind, content } };
  }
}

function resultFields(result: Block | undefined): JsonObject {
  return { toolCallId: result?.callId ?? "", toolName: result?.tool ?? "", isError: result?.isError === true };
}

function nativeBlock(block: Block, text: string): JsonObject {
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

/** Arguments are an object; a free text becomes its one field. */
function argumentsOf(text: string): unknown {
  try {
    const value: unknown = parseJson(text);
    if (isObject(value)) return value;
  } catch {
    // Not JSON: free text, as below.
  }
  return { input: text };
}
