import { idOf } from "@/lib/agents/shared/ids";
import type { DraftBlock } from "@/lib/core/transcript/draft";
import type { Message } from "@/lib/core/transcript/model";
import {
  type Content,
  isMedia,
  isObject,
  type JsonObject,
  jsonOf,
  objectsOf,
  type Part,
  responseOf,
  textOf,
} from "../messages/content";
import { messagesOfRecord } from "../messages/lines";
import { contentParts } from "../messages/message";

/** A block, with the part of the content that it comes from. */
export interface PartBlock extends DraftBlock {
  /** Index of its call among the message's calls. It links a call and its result whatever their ids. */
  readonly entry?: number | undefined;
  /** Index of the part within the content. */
  readonly part: number;
}

/** One content of a recorded message: Gemini CLI writes calls and their results into one message. */
export interface DraftContent {
  readonly role: "user" | "model";
  readonly origin: Extract<Message["origin"], "typed" | "response" | "tool">;
  readonly parts: readonly Part[];
  readonly blocks: readonly PartBlock[];
}

/** The contents of every message in a record. */
export function draftsOf(record: JsonObject): readonly (readonly DraftContent[])[] {
  return messagesOfRecord(record).map(contentsOf);
}

/** The contents of one message. Notices have none: they are only for the screen. */
export function contentsOf(message: JsonObject): readonly DraftContent[] {
  if (message.type === "user") {
    return [draft("user", "typed", contentParts(message.content))];
  }
  if (message.type !== "gemini") return [];
  const calls = objectsOf(message.toolCalls);
  const leading = [
    ...objectsOf(message.thoughts).map(thoughtPart),
    ...contentParts(message.content).filter((part) => part.text !== "" && !isListed(part, calls)),
  ];
  const answer = draft("model", "response", [...leading, ...calls.map(callPart)]);
  const blocks = answer.blocks.map((block, index) => asEntry(block, calls, index - leading.length));
  const results = resultsOf(calls);
  return results === undefined ? [{ ...answer, blocks }] : [{ ...answer, blocks }, results];
}

/** True if the message's list of calls also holds this part of the content, which is a call: some recordings have it in both places. */
function isListed({ functionCall }: JsonObject, calls: readonly JsonObject[]): boolean {
  if (!isObject(functionCall)) return false;
  const { id, name, args } = functionCall;
  return calls.some((call) => {
    if (idOf(id) !== undefined && idOf(call.id) !== undefined) return call.id === id;
    return call.name === name && jsonOf(call.args ?? {}) === jsonOf(args ?? {});
  });
}

/** The block of a part that follows the text: a call from the message's list. */
function asEntry(block: PartBlock, calls: readonly JsonObject[], entry: number): PartBlock {
  const call = calls[entry];
  return call === undefined ? block : { ...block, callId: entryId(call), entry };
}

/** The id of a call, or else that of the responses stored with it. */
function entryId(call: JsonObject): string | undefined {
  const ids = [call.id, ...resultParts(call).map((part) => responseOf(part)?.id)];
  return ids.map(idOf).find((id) => id !== undefined);
}

/** All results of a message's calls as one content; `undefined` if they have none. */
function resultsOf(calls: readonly JsonObject[]): DraftContent | undefined {
  const parts: Part[] = [];
  const blocks: PartBlock[] = [];
  for (const [entry, call] of calls.entries()) {
    const callId = entryId(call);
    for (const part of resultParts(call)) {
      for (const block of resultBlocks(part, call, parts.length)) blocks.push({ ...block, callId, entry });
      parts.push(part);
    }
  }
  return parts.length === 0 ? undefined : { role: "user", origin: "tool", parts, blocks };
}

/** The content of a draft, as the program holds it. */
export function contentOf(content: DraftContent): Content {
  return { role: content.role, parts: content.parts };
}

function draft(role: "user" | "model", origin: "typed" | "response", parts: readonly Part[]): DraftContent {
  return { role, origin, parts, blocks: parts.map(partBlock) };
}

function thoughtPart(thought: JsonObject): Part {
  const [subject, description] = [textOf(thought.subject), textOf(thought.description)];
  const both = subject !== "" && description !== "";
  return { text: both ? `${subject}\n${description}` : subject + description, thought: true };
}

function callPart(call: JsonObject): Part {
  return { functionCall: { id: call.id, name: call.name, args: call.args } };
}

/** Result of a call: parts, or a text that becomes one response. */
function resultParts(call: JsonObject): readonly Part[] {
  const { result } = call;
  if (typeof result === "string" && result !== "") {
    return [{ functionResponse: { id: call.id, name: call.name, response: { output: result } } }];
  }
  return isObject(result) ? [result] : objectsOf(result);
}

function partBlock(part: Part, index: number): PartBlock {
  if (typeof part.text === "string") {
    return { kind: part.thought === true ? "thinking" : "text", text: part.text, part: index };
  }
  if (isObject(part.functionCall)) return callBlock(part.functionCall, index);
  if (isMedia(part)) return mediaBlock(part, index);
  const response = responseOf(part);
  if (response !== undefined) {
    return { kind: "tool_result", text: answerText(response.response), callId: idOf(response.id), part: index };
  }
  return { kind: "text", text: jsonOf(part), part: index };
}

function callBlock(call: JsonObject, part: number): PartBlock {
  const args = isObject(call.args) ? call.args : {};
  const file = [args.file_path, args.absolute_path, args.path].find((path) => typeof path === "string" && path !== "");
  return {
    kind: "tool_call",
    text: jsonOf(call.args ?? {}),
    callId: idOf(call.id),
    tool: textOf(call.name) || undefined,
    file: typeof file === "string" ? file : undefined,
    part,
  };
}

/** A result and the media within it. */
function resultBlocks(part: Part, call: JsonObject, index: number): readonly PartBlock[] {
  const response = responseOf(part);
  if (response === undefined) {
    const block = partBlock(part, index);
    return [{ ...block, kind: block.kind === "image" ? "image" : "tool_result" }];
  }
  const failed = call.status === "error" || call.status === "cancelled" || hasError(response.response);
  const text = answerText(response.response);
  const media = objectsOf(response.parts).map((nested) => partBlock(nested, index));
  return [{ kind: "tool_result", text, isError: failed, part: index }, ...media];
}

function hasError(response: unknown): boolean {
  return isObject(response) && response.error !== undefined && response.output === undefined;
}

/** Text of a response that the model reads: its text if it holds nothing else, otherwise its JSON. */
function answerText(response: unknown): string {
  if (typeof response === "string") return response;
  if (!isObject(response)) return "";
  const entries = Object.values(response);
  const only = entries.length === 1 ? (response.output ?? response.error) : undefined;
  return typeof only === "string" ? only : jsonOf(response);
}

function mediaBlock(part: Part, index: number): PartBlock {
  const media = isObject(part.inlineData) ? part.inlineData : isObject(part.fileData) ? part.fileData : {};
  return { kind: "image", text: textOf(media.data) || textOf(media.fileUri), payload: true, part: index };
}
