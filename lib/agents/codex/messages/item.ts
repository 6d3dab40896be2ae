import { isObject } from "@/lib/core/records/fields";

/**
 * `ResponseItem`: an entry of Codex's history, exactly as in JSON. The order of properties does not matter here; for measuring, `serialize.ts`
 * writes Codex's own order.
 */
export type ResponseItem = Readonly<Record<string, unknown>> & { readonly type: string };

/** A content item of a message or of a call's output. */
export type ContentItem = Readonly<Record<string, unknown>> & { readonly type: string };

/** The item in a payload. A payload with a role but without a type is a message, as old versions wrote it. */
export function toItem(value: unknown): ResponseItem | undefined {
  if (!isObject(value)) return undefined;
  if (isItem(value)) return value;
  return typeof value.role === "string" ? { ...value, type: "message" } : undefined;
}

function isItem(value: Readonly<Record<string, unknown>>): value is ResponseItem {
  return typeof value.type === "string";
}

/** A text field; `undefined` if it is anything else. */
export function stringField(item: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = item[key];
  return typeof value === "string" ? value : undefined;
}

/** The content items of a message, or of a call's output that is a list. */
export function contentItems(value: unknown): readonly ContentItem[] {
  if (!Array.isArray(value)) return [];
  return value.filter((entry: unknown): entry is ContentItem => isObject(entry) && isItem(entry));
}

/** Texts of a message's content, in order. */
export function messageTexts(item: ResponseItem): readonly string[] {
  return contentItems(item.content)
    .map((entry) => entry.text)
    .filter((text) => typeof text === "string");
}

/**
 * Texts that the user typed in a user message. Codex puts labels before and after an image, and removes them together with the image. Source:
 * core/src/event_mapping.rs of 31d1e4934, `parse_user_message`.
 */
export function typedTexts(item: ResponseItem): readonly string[] {
  const content = contentItems(item.content);
  return content.flatMap((entry, index) => (isImageLabel(content, index) ? [] : (stringField(entry, "text") ?? [])));
}

/** True if an entry of a message's content labels the neighbouring image. */
export function isImageLabel(content: readonly ContentItem[], index: number): boolean {
  const entry = content[index];
  if (entry?.type !== "input_text") return false;
  const text = stringField(entry, "text") ?? "";
  if (isImageOpening(text)) return content[index + 1]?.type === "input_image";
  return text === IMAGE_CLOSING && content[index - 1]?.type === "input_image";
}

/** `<image>` precedes a pasted image, `<image name=[Image #1]>` an attached file. Source: protocol/src/models.rs. */
function isImageOpening(text: string): boolean {
  return text === "<image>" || (text.startsWith("<image name=") && text.endsWith(">"));
}

const IMAGE_CLOSING = "</image>";

export function isMessage(item: ResponseItem, role: string): boolean {
  return item.type === "message" && item.role === role;
}

/** A user message with one text, as a compaction writes it. */
export function userMessage(text: string): ResponseItem {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}

const MODEL_GENERATED = new Set([
  "reasoning",
  "function_call",
  "tool_search_call",
  "web_search_call",
  "image_generation_call",
  "custom_tool_call",
  "local_shell_call",
  "compaction",
  "compaction_summary",
  "context_compaction",
]);

/** True if the model made the item. Source: README.md, "Usage compared". */
export function isModelGenerated(item: ResponseItem): boolean {
  return MODEL_GENERATED.has(item.type) || isMessage(item, "assistant");
}

/** True if the item holds a compaction's encrypted summary. */
export function isCompactionItem(item: ResponseItem): boolean {
  return item.type === "compaction" || item.type === "compaction_summary" || item.type === "context_compaction";
}

/** The hidden text of reasoning or of a compaction; `undefined` if there is none. */
export function encryptedContent(item: ResponseItem): string | undefined {
  return stringField(item, "encrypted_content");
}

/** A call's id as the program reads it; in old local shell calls it is the item's id. */
export function callIdOf(item: ResponseItem): string | undefined {
  return stringField(item, "call_id") ?? (item.type === "local_shell_call" ? stringField(item, "id") : undefined);
}
