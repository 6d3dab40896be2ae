import { isObject, type JsonObject, parsedOr } from "@/lib/agents/shared/json";
import { type BlockContent, textAt } from "@/lib/core/tokens/item-estimator";
import type { Block, Message } from "@/lib/core/transcript/model";
import { INTERRUPTED_TEXT } from "../base/constants";
import { draftsOf, type PartBlock } from "./blocks";

/** A message as opencode passes it to the provider library, with the JSON that each of its blocks adds. */
interface NativeMessage {
  readonly role: "user" | "assistant" | "tool";
  /** One entry for each block. */
  readonly content: readonly JsonObject[];
}

/** Source of a part: our block, or the recorded block with opencode's own fields. */
type PartSource = Pick<PartBlock, "kind" | "text" | "callId" | "tool" | "isError" | "metadata" | "mime" | "filename">;

/**
 * The message that is sent for one of ours (ModelMessage of the AI SDK). For opencode's own files it has the media types and the provider's metadata
 * from the record; elsewhere images count as PNG, and there is no metadata.
 * @param contents the blocks' texts and records, in their order
 */
export function nativeMessage(message: Message, contents: readonly BlockContent[], format: string): NativeMessage {
  const own = format === "opencode" ? recordedBlocks(message, contents) : undefined;
  const sources = own ?? message.blocks.map((block, index) => sourceOf(block, textAt(contents, index)));
  const results = sources.some((source) => source.kind === "tool_result");
  const role = message.role === "assistant" ? "assistant" : results ? "tool" : "user";
  return { role, content: sources.map(partOf) };
}

function sourceOf(block: Block, text: string): PartSource {
  return { kind: block.kind, text, callId: block.callId, tool: block.tool, isError: block.isError };
}

function partOf(source: PartSource): JsonObject {
  const { text, callId, tool } = source;
  const link = { toolCallId: callId ?? "", toolName: tool ?? "" };
  const options = isObject(source.metadata) ? { providerOptions: source.metadata } : {};
  switch (source.kind) {
    case "text":
      return { type: "text", text, ...options };
    case "thinking":
      return { type: "reasoning", text, ...options };
    case "tool_call":
      return { type: "tool-call", ...link, input: parsedOr(text), ...options };
    case "tool_result":
      return { type: "tool-result", ...link, output: { type: source.isError ? "error-text" : "text", value: text } };
    case "image":
      return { type: "file", mediaType: source.mime ?? "image/png", data: text };
  }
}

/** The message generated as the result of a call without one, since providers refuse such calls. */
export function interruptedResult({ callId, tool }: Pick<Block, "callId" | "tool">): JsonObject {
  const part = partOf({ kind: "tool_result", text: INTERRUPTED_TEXT, callId, tool, isError: true });
  return { role: "tool", content: [part] };
}

const cache = new WeakMap<JsonObject, readonly PartBlock[]>();

/** The blocks of a message as opencode's own records hold them; `undefined` for other agents' messages. */
export function recordedBlocks(message: Message, contents: readonly BlockContent[]): readonly PartSource[] | undefined {
  const record = contents[0]?.record;
  if (record === undefined) return undefined;
  const blocks = cache.get(record) ?? draftsOf(record).flatMap((list) => list.flatMap((draft) => draft.blocks));
  cache.set(record, blocks);
  const own = message.blocks.map((block) => blocks[block.source.part]);
  return own.every((block) => block !== undefined) ? own : undefined;
}
