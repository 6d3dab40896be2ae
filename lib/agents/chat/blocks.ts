import type { DraftBlock, DraftMessage } from "@/lib/core/transcript/draft";
import { entryOf } from "@/lib/core/transcript/fields";
import { idOf, nameOf } from "../ids";
import { isObject, type JsonObject, objectOf, objectsOf, textOf, textOrJson } from "../json";

/** A message of the chat before it is measured. */
export interface ChatMessage extends DraftMessage {
  /** The role as written. */
  readonly name: string;
}

/** Who speaks, by the roles that chats write. */
const SPEAKERS: Readonly<Record<string, Pick<ChatMessage, "role" | "origin">>> = {
  system: { role: "system", origin: "context" },
  developer: { role: "system", origin: "context" },
  user: { role: "user", origin: "typed" },
  human: { role: "user", origin: "typed" },
  assistant: { role: "assistant", origin: "response" },
  model: { role: "assistant", origin: "response" },
  tool: { role: "user", origin: "tool" },
  function: { role: "user", origin: "tool" },
};

/** Whether a value is a message of a chat: a known role, and content. */
export function isMessage(value: unknown): value is JsonObject {
  return isObject(value) && Object.hasOwn(SPEAKERS, textOf(value.role)) && "content" in value;
}

/** The messages of a record: the record itself, or its list of messages. */
export function draftsOf(record: JsonObject): readonly ChatMessage[] {
  const messages = isMessage(record) ? [record] : objectsOf(objectOf(record).messages).filter(isMessage);
  return messages.map(draftOf);
}

function draftOf(message: JsonObject): ChatMessage {
  const name = textOf(message.role);
  const speaker = entryOf(SPEAKERS, name) ?? { role: "user", origin: "typed" };
  const parts = Array.isArray(message.content) ? message.content : [message.content ?? ""];
  const blocks = parts.length === 0 ? [textBlock("")] : parts.map(partBlock);
  if (speaker.origin !== "tool") return { ...speaker, name, blocks };
  const call = { callId: idOf(message.tool_call_id), tool: nameOf(message.name) };
  return { ...speaker, name, blocks: blocks.map((block) => ({ ...block, ...asResult(block), ...call })) };
}

function asResult({ kind }: DraftBlock): Pick<DraftBlock, "kind"> {
  return { kind: kind === "text" ? "tool_result" : kind };
}

/** The block of one part in a list; a part that is neither text nor an image is shown as it is in the file. */
function partBlock(part: unknown): DraftBlock {
  if (typeof part === "string") return textBlock(part);
  if (!isObject(part)) return { ...textBlock(textOrJson(part)), odd: "content" };
  const type = textOf(part.type);
  if (TEXTS.has(type) && typeof part.text === "string") return textBlock(part.text);
  if (IMAGES.has(type)) return { kind: "image", text: textOrJson(part), payload: true };
  return { ...textBlock(textOrJson(part)), odd: `content ${type === "" ? "part" : type}` };
}

const TEXTS = new Set(["text", "input_text", "output_text"]);
const IMAGES = new Set(["image", "image_url", "input_image"]);

function textBlock(text: string): DraftBlock {
  return { kind: "text", text };
}
