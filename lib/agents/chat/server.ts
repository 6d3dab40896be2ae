/*
 * Plain chat: one message a line, a list of messages, or a record with `messages`. Invented and shortened:
 *
 * {"role":"system","content":"You answer in one sentence."}
 * {"role":"user","content":"Which port does the shop use?"}
 * {"role":"assistant","content":"Port 3000.","timestamp":1772352002,"model":"llama-3"}
 * {"role":"user","content":[{"type":"text","text":"And this?"},{"type":"image_url","image_url":{"url":"data:image/png;base64,…"}}]}
 * {"role":"model","content":[{"type":"text","text":"A cat."}]}
 * {"role":"tool","content":"exit 0","name":"shell"}
 * [{"role":"user","content":"Hello"},{"role":"assistant","content":"Hi."}]
 * {"system":"Be kind.","messages":[{"role":"user","content":"Hello"},{"role":"assistant","content":"Hi."}]}
 */

import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { isObject, type JsonObject, objectOf, objectsOf, textOf, textOrJson, timeOf } from "@/lib/agents/shared/json";
import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { isTaskMessage } from "@/lib/agents/shared/task-history";
import { promptTitle } from "@/lib/agents/shared/title";
import type { SourceRecord } from "@/lib/core/records/fields";
import { entryOf } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { DraftBlock, DraftMessage } from "@/lib/core/transcript/draft";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import { type KnownUsageFields, possibleTime } from "@/lib/core/transcript/record-numbers";

/** Fields of an agent's or an API's records, which plain chat does not have. */
const ELSEWHERE = [
  "type",
  "uuid",
  "parentUuid",
  "sessionId",
  "tool_calls",
  "tool_call_id",
  "function_call",
  "usage",
  "parts",
  "message_id",
];

/**
 * True if all of the first records are plain chat: a message with a role and text, or a list of such messages. Tool parts of any kind belong to the
 * AI SDK (`tool-call`) or to an API (`tool_use`); a list of messages with a model belongs to a request.
 */
function sniffChat(head: readonly JsonObject[]): boolean {
  return head.length > 0 && head.every((record) => isPlain(record) || isList(record)) && !head.some(isTaskMessage);
}

function isList(record: JsonObject): boolean {
  const messages = objectsOf(record.messages);
  return messages.length > 0 && !REQUEST.some((key) => key in record) && messages.every(isPlain);
}

/** Fields of a request to a model, and of an exported session. */
const REQUEST = ["model", "tools", "max_tokens", "stream", "projectHash", "info", "response", "steps", "type", "epoch"];

function isPlain(value: JsonObject): boolean {
  if (!isMessage(value) || ELSEWHERE.some((key) => key in value)) return false;
  const { content } = value;
  if (!Array.isArray(content)) return typeof content === "string";
  return content.every((part) => typeof part === "string" || (isObject(part) && !isToolPart(part)));
}

function isToolPart({ type }: JsonObject): boolean {
  return /tool|function|thinking|reasoning/.test(textOf(type));
}

/**
 * Reads plain chat: a `{ role, content }` message on each line, a list of them, or a record with `messages`. It holds neither usage nor
 * compactions; every answer of the assistant is a request point.
 */
const chatReader: Reader = {
  format: "chat",
  sniff: sniffChat,
  parse: (builder) => new ChatParser(builder),
  texts: (record) => draftsOf(record).flatMap(({ blocks }) => blocks.map(({ text }) => text)),
  sessionMarks:
    () =>
    ({ value }) => ({ begins: Array.isArray(value.messages) }),
};

/** Plain chat has no usage, so no usage field is read. */
const NO_USAGE: KnownUsageFields = new Set();

class ChatParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  #title: string | undefined;
  #begun = false;
  #lists = 0;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  record(record: SourceRecord): void {
    const drafts = draftsOf(record.value);
    const type = Array.isArray(record.value.messages) ? "messages" : textOf(record.value.role) || "(no role)";
    this.#builder.countRecord(type);
    if (drafts.length === 0) this.#builder.unknownRecord(type, record.line);
    this.#builder.time(timeOf(record.value.timestamp), record.line);
    this.#builder.numbers(record.line).unknownUsage(record.value.usage, NO_USAGE);
    if (type === "messages") this.#list(record);
    let part = 0;
    for (const draft of drafts) {
      this.#add(draft, record, part);
      part += draft.blocks.length;
    }
  }

  end(): void {
    this.#builder.facts({ title: this.#title });
  }

  /** A further list is a conversation of its own: it was sent without the messages of the previous one. */
  #list({ line }: SourceRecord): void {
    this.#lists += 1;
    if (this.#lists > 1) this.#builder.furtherSession(line);
  }

  #add(draft: ChatMessage, record: SourceRecord, from: number): void {
    const blocks = this.#builder.blocks(draft.blocks, record, from);
    // System messages before all others are the prompt that every request carries.
    if (draft.role === "system" && !this.#begun) {
      for (const { text, source } of blocks)
        this.#builder.overhead({ category: "systemPrompt", name: draft.name, text, source });
      return;
    }
    this.#begun = true;
    const at = possibleTime(timeOf(record.value.timestamp));
    const when = { line: record.line, at };
    const message = this.#builder.message({ role: draft.role, origin: draft.origin, ...when, blocks });
    if (draft.origin === "typed") this.#title = promptTitle(this.#title, draft.blocks[0]?.text ?? "");
    if (draft.origin !== "response") return;
    const model = nameOf(record.value.model);
    if (model !== undefined) this.#builder.model(model);
    this.#builder.request({ message, ...when, model });
  }
}

export const server: ServerProfile = {
  reader: chatReader,
};

/** A message of the chat before it is measured. */
interface ChatMessage extends DraftMessage {
  /** The role as written. */
  readonly name: string;
}

/** Role and origin, by the role names in chats. */
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

/** True if a value is a message of a chat: a known role, and content. */
function isMessage(value: unknown): value is JsonObject {
  return isObject(value) && Object.hasOwn(SPEAKERS, textOf(value.role)) && "content" in value;
}

/** The messages of a record: the record itself, or its system prompt and list of messages. */
function draftsOf(record: JsonObject): readonly ChatMessage[] {
  if (isMessage(record)) return [draftOf(record)];
  const { system, messages } = objectOf(record);
  const hasSystem = Array.isArray(messages) && (textOf(system) !== "" || (Array.isArray(system) && system.length > 0));
  const prompt = hasSystem ? [{ role: "system", content: system }] : [];
  return [...prompt, ...objectsOf(messages).filter(isMessage)].map(draftOf);
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

/** The block of one part in a list; a part that is neither text nor an image is shown as JSON. */
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
