import { utf8Length } from "@/lib/core/base/characters";
import type { Bytes, Tokens } from "@/lib/core/base/units";
import { IMAGE_BYTES } from "../base/constants";
import type { CodexPreset } from "../base/presets";
import {
  type ContentItem,
  contentItems,
  encryptedContent,
  isCompactionItem,
  type ResponseItem,
  stringField,
} from "./item";
import { serializeItem } from "./serialize";
import { BYTES_PER_TOKEN, encryptedOutputBytes, reasoningBytes, tokensFromBytes } from "./tokens";

/** Codex's estimate of items and of the whole history. Source: README.md, "Estimates". */

/** Tokens of one item of the history. */
export function itemTokens(item: ResponseItem, preset: CodexPreset): Tokens {
  if (item.type === "ghost_snapshot") return 0;
  const encrypted = countsAsReasoning(item, preset) ? encryptedContent(item) : undefined;
  if (encrypted !== undefined) return tokensFromBytes(reasoningBytes(utf8Length(encrypted)), preset);
  const bytes = utf8Length(serializeItem(item, preset));
  return Math.ceil((preset === "current" ? bytes + replacedBytes(item) : bytes) / BYTES_PER_TOKEN);
}

/** True if an item counts by its encrypted text. The document names no rule for compaction items, so they count as JSON there. */
function countsAsReasoning(item: ResponseItem, preset: CodexPreset): boolean {
  if (item.type === "reasoning") return true;
  if (preset === "as-documented" || !isCompactionItem(item)) return false;
  return item.type !== "context_compaction" || preset === "current";
}

/** Bytes that `current` counts for payloads other than text (images, encrypted content), minus their own bytes. Often negative. */
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

/** Bytes that `current` counts for one image minus its own: its payload counts as `imageBytes`, the rest of the URL as its bytes. */
export function replacedImageBytes(url: string, detail?: unknown): Bytes {
  const payload = imagePayload(url);
  return payload === undefined ? 0 : imageBytes(payload, detail) - utf8Length(payload);
}

/** Bytes that `current` counts for one content item minus its own. Audio counts as its bytes: its duration is not decoded here. */
export function replacedContentBytes(entry: ContentItem, encryptedCounts: boolean): Bytes {
  if (entry.type === "input_image") return replacedImageBytes(stringField(entry, "image_url") ?? "", entry.detail);
  const encrypted = entry.type === "encrypted_content" && encryptedCounts ? encryptedContent(entry) : undefined;
  if (encrypted === undefined) return 0;
  const bytes = utf8Length(encrypted);
  return encryptedOutputBytes(bytes) - bytes;
}

const PATCH = 32;
const MAX_PATCHES = 10_000;
const BYTES_PER_PATCH: Bytes = 4;

/** The base64 payload of an image's data URL; `undefined` for other URLs. Scheme, type and parameter are matched in upper and lower case. */
function imagePayload(url: string): string | undefined {
  const comma = url.indexOf(",");
  if (comma < 0 || url.slice(0, 5).toLowerCase() !== "data:") return undefined;
  const [mime = "", ...parameters] = url.slice(5, comma).toLowerCase().split(";");
  if (!mime.startsWith("image/") || !parameters.includes("base64")) return undefined;
  return url.slice(comma + 1);
}

/** Bytes that an image's payload counts as. With `detail: "original"` they follow from its size in 32-pixel patches. */
function imageBytes(payload: string, detail: unknown): Bytes {
  if (detail !== "original") return IMAGE_BYTES;
  const size = imageSize(decoded(payload));
  if (size === undefined) return IMAGE_BYTES;
  const patches = Math.ceil(size.width / PATCH) * Math.ceil(size.height / PATCH);
  return BYTES_PER_PATCH * Math.min(patches, MAX_PATCHES);
}

function decoded(payload: string): Uint8Array {
  try {
    return Uint8Array.from(atob(payload), (char) => char.charCodeAt(0));
  } catch {
    // A payload that is not base64 counts like any image that cannot be decoded.
    return new Uint8Array();
  }
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Width and height from the head of a PNG, GIF, WebP or JPEG; `undefined` for anything else. */
function imageSize(bytes: Uint8Array): Size | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  let size: Size | undefined;
  if (bytes.length >= 24 && text(1, 4) === "PNG") size = { width: view.getUint32(16), height: view.getUint32(20) };
  else if (bytes.length >= 10 && text(0, 4) === "GIF8") {
    size = { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  } else if (bytes.length >= 30 && text(8, 12) === "WEBP") size = webpSize(view, text(12, 16));
  else if (bytes.length >= 4 && view.getUint16(0) === 0xffd8) size = jpegSize(view);
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

function webpSize(view: DataView, chunk: string): Size | undefined {
  if (chunk === "VP8 ") return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (chunk === "VP8X") {
    const u24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    return { width: u24(24) + 1, height: u24(27) + 1 };
  }
  if (chunk !== "VP8L") return undefined;
  const bits = view.getUint32(21, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
}

/** Walks the segments to the frame header: the markers C0 to CF except C4, C8 and CC. */
function jpegSize(view: DataView): Size | undefined {
  let at = 2;
  while (at + 9 <= view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}
