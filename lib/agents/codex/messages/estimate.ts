import type { Bytes, Tokens } from "@/lib/core/base/units";
import { utf8Length } from "@/lib/core/tokens/characters";
import type { CodexPreset } from "../presets";
import {
  type ContentItem,
  contentItems,
  encryptedContent,
  isCompactionItem,
  type ResponseItem,
  stringField,
} from "./item";
import { imageBytes, imagePayload } from "./media";
import { serializeItem } from "./serialize";
import { BYTES_PER_TOKEN, encryptedOutputBytes, reasoningBytes, textTokens, tokensFromBytes } from "./tokens";

/** Codex's estimate of items and of the whole history. Source: README.md, "Estimates". */

/** Tokens of one item of the history. */
export function itemTokens(item: ResponseItem, preset: CodexPreset): Tokens {
  if (item.type === "ghost_snapshot") return 0;
  const encrypted = countsAsReasoning(item, preset) ? encryptedContent(item) : undefined;
  if (encrypted !== undefined) return tokensFromBytes(reasoningBytes(utf8Length(encrypted)), preset);
  const bytes = utf8Length(serializeItem(item, preset));
  return Math.ceil((preset === "current" ? bytes + replacedBytes(item) : bytes) / BYTES_PER_TOKEN);
}

/** Whether an item counts by its encrypted text. The document names no rule for compaction items, so they count as JSON there. */
function countsAsReasoning(item: ResponseItem, preset: CodexPreset): boolean {
  if (item.type === "reasoning") return true;
  if (preset === "as-documented" || !isCompactionItem(item)) return false;
  return item.type !== "context_compaction" || preset === "current";
}

/** What `current` counts for payloads that are no text (images, encrypted content), minus their own bytes. Often negative. */
function replacedBytes(item: ResponseItem): Bytes {
  const list =
    item.type === "message" || item.type === "agent_message"
      ? item.content
      : item.type === "function_call_output" || item.type === "custom_tool_call_output"
        ? item.output
        : undefined;
  const encryptedCounts = item.type !== "message";
  return contentItems(list).reduce((sum, entry) => sum + replacedContentBytes(entry, encryptedCounts), 0);
}

/** The same for one image: its payload counts as `imageBytes`, and the URL around it as it is. */
export function replacedImageBytes(url: string, detail?: unknown): Bytes {
  const payload = imagePayload(url);
  return payload === undefined ? 0 : imageBytes(payload, detail) - utf8Length(payload);
}

/** The same for one content item. Audio counts as it is: its duration is not decoded here. */
export function replacedContentBytes(entry: ContentItem, encryptedCounts: boolean): Bytes {
  if (entry.type === "input_image") return replacedImageBytes(stringField(entry, "image_url") ?? "", entry.detail);
  const encrypted = entry.type === "encrypted_content" && encryptedCounts ? encryptedContent(entry) : undefined;
  if (encrypted === undefined) return 0;
  const bytes = utf8Length(encrypted);
  return encryptedOutputBytes(bytes) - bytes;
}

/** Estimate of everything that would be sent: base instructions and items, but no tools. */
export function historyTokens(items: readonly ResponseItem[], baseInstructions: string, preset: CodexPreset): Tokens {
  return items.reduce((sum, item) => sum + itemTokens(item, preset), textTokens(baseInstructions));
}
