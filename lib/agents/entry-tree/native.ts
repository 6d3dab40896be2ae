import { argumentsOf, isObject, type JsonObject } from "@/lib/agents/shared/json";
import { type BlockContent, textAt } from "@/lib/core/tokens/item-estimator";
import type { Block, Message } from "@/lib/core/transcript/model";

/** An entry made from a message, with the blocks of the message that it carries. */
export interface NativeEntry<Entry> {
  readonly entry: Entry;
  readonly blocks: readonly number[];
}

/** Blocks that become one entry. */
export interface NativeGroup {
  readonly kind: "user" | "assistant" | "toolResult" | "custom" | "summary";
  readonly first: Block;
  readonly blocks: readonly NativeBlock[];
  /** The texts of all blocks together. */
  readonly text: string;
}

/** A content block in the agents' format. */
type NativeBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly thinking: string }
  | { readonly type: "toolCall"; readonly id: string; readonly name: string; readonly arguments: unknown }
  | { readonly type: "image"; readonly data: string };

/** An agent's rules for entries in memory. */
interface NativeRules<Entry> {
  /** Format of the agent's own files. */
  readonly format: string;
  readonly entryOf: (group: NativeGroup) => Entry;
  /** Makes the entry of a record from the agent's own files. */
  readonly recorded: (record: JsonObject) => Entry;
  /** True if neighbouring results of one call, which other agents write separately, become one message. */
  readonly joinsResults: boolean;
}

/**
 * Builds the entries for a message. For the agent's own files that is the recorded entry. Otherwise it is our message as the agent would hold it: a
 * response is one message, every result a message of its own, a typed message a user message, and a message inserted by an agent the message of an
 * extension. This is the inverse of the agent's reader; the README.md of each agent lists the fields that our model does not hold.
 */
export function entriesBy<Entry>({ format: own, entryOf, recorded, joinsResults }: NativeRules<Entry>) {
  /** @param contents the blocks' texts, in their order */
  return (message: Message, contents: readonly BlockContent[], format: string): readonly NativeEntry<Entry>[] => {
    const record = format === own ? contents[0]?.record : undefined;
    if (record !== undefined) return [{ entry: recorded(record), blocks: message.blocks.map((_, index) => index) }];
    return groupsOf(message, joinsResults).map(({ kind, first, blocks }) => {
      const texts = blocks.map((index) => textAt(contents, index));
      const native = blocks.flatMap((index, at) => {
        const block = message.blocks[index];
        return block === undefined ? [] : [nativeBlock(block, texts[at] ?? "")];
      });
      return { entry: entryOf({ kind, first, blocks: native, text: texts.join("") }), blocks };
    });
  };
}

/** A record in which messages of hooks have their new role: version 3 of the format renamed it. */
export function renamedRecord(record: JsonObject): JsonObject {
  const { message } = record;
  const isRenamed = isObject(message) && message.role === "hookMessage";
  return isRenamed ? { ...record, message: { ...message, role: "custom" } } : record;
}

interface Group extends Pick<NativeGroup, "kind" | "first"> {
  readonly blocks: number[];
}

/** Groups blocks into entries: each result is one, and so is each stretch of other blocks. An image after a result belongs to it. */
function groupsOf(message: Message, joinsResults: boolean): readonly Group[] {
  const groups: Group[] = [];
  message.blocks.forEach((block, index) => {
    const last = groups.at(-1);
    const kind = kindOf(block, message, last);
    const isJoined =
      block.kind !== "tool_result" ||
      (joinsResults && block.callId !== undefined && block.callId === last?.first.callId);
    if (last?.kind === kind && isJoined) last.blocks.push(index);
    else groups.push({ kind, first: block, blocks: [index] });
  });
  return groups;
}

function kindOf(block: Block, message: Message, last: Group | undefined): NativeGroup["kind"] {
  if (block.kind === "tool_result") return "toolResult";
  if (block.kind === "tool_call" || block.kind === "thinking") return "assistant";
  const belongs = block.callId === undefined || block.callId === last?.first.callId;
  if (block.kind === "image" && last?.kind === "toolResult" && belongs) return "toolResult";
  if (message.origin === "response") return "assistant";
  if (message.origin === "summary") return "summary";
  return message.origin === "context" ? "custom" : "user";
}

function nativeBlock(block: Block, text: string): NativeBlock {
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
