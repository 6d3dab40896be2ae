import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { isObject, type JsonObject, jsonOf, objectOf, objectsOf, textOf } from "@/lib/agents/shared/json";
import type { DraftBlock } from "@/lib/core/transcript/draft";
import { answerOf, callOf, mediaOf, nestedParts, type Part, partsOf, responseOf } from "../messages/content";

export interface PartBlock extends DraftBlock {
  /** For a block of media within a response, this is the response's part. */
  readonly owner: Part;
}

/** One content of a record: a message, or one entry of a snapshot. */
export interface DraftContent {
  readonly role: "user" | "model";
  readonly blocks: readonly PartBlock[];
}

/**
 * The contents of one record, in order. Only this function decides which content of a record the model reads. `toolCallResult` is a copy for the
 * screen, and telemetry repeats the responses.
 */
export function contentsOf(record: JsonObject): readonly DraftContent[] {
  if (record.type !== "system") return isObject(record.message) ? [contentOf(record, record.message)] : [];
  const payload = objectOf(record.systemPayload);
  if (record.subtype === "chat_compression") return objectsOf(payload.compressedHistory).map(snapshotContent);
  if (record.subtype === "agent_bootstrap") return objectsOf(payload.history).map(inheritedContent);
  return [];
}

/** All blocks of a record, in the order of `BlockSource.part`. */
export function blocksOf(record: JsonObject): readonly PartBlock[] {
  return contentsOf(record).flatMap((content) => content.blocks);
}

function contentOf(record: JsonObject, message: JsonObject): DraftContent {
  const failed = objectOf(record.toolCallResult).status === "error";
  const blocks = rawParts(message).flatMap(partBlocks);
  return {
    role: record.type === "assistant" ? "model" : "user",
    blocks: failed
      ? blocks.map((block) => (block.kind === "tool_result" ? { ...block, isError: true } : block))
      : blocks,
  };
}

/** The parts as objects; a bare string becomes a text part. */
function rawParts(message: JsonObject): readonly Part[] {
  if (!Array.isArray(message.parts) || message.parts.every(isObject)) return partsOf(message);
  return message.parts.flatMap((part) => (typeof part === "string" ? [{ text: part }] : isObject(part) ? [part] : []));
}

function snapshotContent(content: JsonObject): DraftContent {
  return { role: content.role === "model" ? "model" : "user", blocks: rawParts(content).flatMap(partBlocks) };
}

/** Content that a fork inherits from its parent, as text: the calls in it are the parent's, and are not counted again. */
function inheritedContent(content: JsonObject): DraftContent {
  const { role, blocks } = snapshotContent(content);
  const texts = blocks.map(({ kind, text, owner, payload, file }): PartBlock => {
    const plain = kind === "tool_call" || kind === "tool_result" ? "text" : kind;
    return { kind: plain, text, owner, payload, file };
  });
  return { role, blocks: texts };
}

function partBlocks(part: Part): readonly PartBlock[] {
  if (mediaOf(part) !== undefined) return [mediaBlock(part, part, undefined)];
  if (typeof part.text === "string") {
    return [{ kind: part.thought === true ? "thinking" : "text", text: part.text, owner: part }];
  }
  if (callOf(part) !== undefined) return [callBlock(part)];
  if (responseOf(part) !== undefined) return responseBlocks(part);
  return [{ kind: "text", text: jsonOf(part), owner: part }];
}

function mediaBlock(part: Part, owner: Part, callId: string | undefined): PartBlock {
  const media = objectOf(mediaOf(part));
  return { kind: "image", text: textOf(media.data) || textOf(media.fileUri), callId, payload: true, owner };
}

/** The tool through which newer versions call deferred tools (the bridge). */
const BRIDGE_TOOL = "tool_call";

function callBlock(part: Part): PartBlock {
  const call = objectOf(callOf(part));
  const args = objectOf(call.args);
  const bridged = call.name === BRIDGE_TOOL && typeof args.name === "string";
  const inForce = bridged ? objectOf(args.arguments) : args;
  return {
    kind: "tool_call",
    text: jsonOf(call.args ?? {}),
    callId: idOf(call.id),
    tool: bridged ? textOf(args.name) : nameOf(call.name),
    file:
      nameOf(inForce.file_path) ??
      nameOf(inForce.absolute_path) ??
      nameOf(inForce.path) ??
      nameOf(inForce.notebook_path),
    owner: part,
  };
}

/** The blocks of a result: its text as one block, then each medium and each further text as a block. */
function responseBlocks(part: Part): readonly PartBlock[] {
  const response = objectOf(responseOf(part));
  const { output, error } = answerOf(response);
  const isError = error !== undefined;
  const callId = idOf(response.id);
  const result: PartBlock = {
    kind: "tool_result",
    text: typeof output === "string" ? output : typeof error === "string" ? error : jsonOf(response.response ?? {}),
    callId,
    // For a bridged call, only the call names the tool.
    tool: response.name === BRIDGE_TOOL ? undefined : nameOf(response.name),
    isError,
    owner: part,
  };
  const nested = nestedParts(part).map((inner): PartBlock => {
    if (mediaOf(inner) !== undefined) return mediaBlock(inner, part, callId);
    const text = typeof inner.text === "string" ? inner.text : jsonOf(inner);
    return { kind: "tool_result", text, callId, tool: result.tool, isError, owner: part };
  });
  return [result, ...nested];
}
