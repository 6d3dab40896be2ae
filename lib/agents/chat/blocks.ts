import type { BlockKind, Message } from "@/lib/core/transcript/model";
import { idOf, nameOf } from "../ids";
import { isObject, type JsonObject, objectOf, objectsOf, textOf, textOrJson } from "../json";

/** A content block before it is measured. */
export interface DraftBlock {
  readonly kind: BlockKind;
  readonly text: string;
  readonly callId?: string | undefined;
  readonly tool?: string | undefined;
  /** Encoded: measured, never kept as text. */
  readonly payload?: boolean;
  /** What was not understood. */
  readonly odd?: string;
}

/** A message of the chat before it is measured. */
export interface DraftMessage {
  readonly role: Message["role"];
  readonly origin: Message["origin"];
  /** The role as written. */
  readonly name: string;
  readonly blocks: readonly DraftBlock[];
}

/** Roles as chats write them, and who speaks. */
const SPEAKERS: Readonly<Record<string, Pick<DraftMessage, "role" | "origin">>> = {
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

/** The messages of a record: itself, or its list of them. */
export function draftsOf(record: JsonObject): readonly DraftMessage[] {
  const messages = isMessage(record) ? [record] : objectsOf(objectOf(record).messages).filter(isMessage);
  return messages.map(draftOf);
}

function draftOf(message: JsonObject): DraftMessage {
  const name = textOf(message.role);
  const speaker = SPEAKERS[name] ?? { role: "user", origin: "typed" };
  const parts = Array.isArray(message.content) ? message.content : [message.content ?? ""];
  const blocks = parts.length === 0 ? [textBlock("")] : parts.map(partBlock);
  if (speaker.origin !== "tool") return { ...speaker, name, blocks };
  const call = { callId: idOf(message.tool_call_id), tool: nameOf(message.name) };
  return { ...speaker, name, blocks: blocks.map((block) => ({ ...block, ...asResult(block), ...call })) };
}

function asResult({ kind }: DraftBlock): Pick<DraftBlock, "kind"> {
  return { kind: kind === "text" ? "tool_result" : kind };
}

/** A part of a list; what is neither text nor an image is shown as it stands in the file. */
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
