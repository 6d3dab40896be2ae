import { sumOf } from "@/lib/core/base/numbers";
import type { Bytes, ItemIndex, Tokens } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView, Retention } from "@/lib/core/compaction/policy";
import { apportion } from "@/lib/core/tokens/item-estimator";
import {
  CONTENT_ITEM_BYTES,
  IMAGE_ITEM_BYTES,
  isOwnCount,
  resized,
  tokensOfBytes,
  USER_MESSAGE_BYTES,
} from "../constants";
import type { CodexMeasure } from "./measures";

/** A user message of the context. */
export interface UserMessage {
  readonly texts: readonly ItemIndex[];
  readonly images: readonly ItemIndex[];
  /** Current bytes of each text, which an earlier compaction may have truncated. */
  readonly bytes: readonly Bytes[];
  /** Whether it already went through a compaction. */
  readonly carried: boolean;
}

/** A kept message: its items that stay, and new sizes for those that change. */
export interface SelectedMessage {
  readonly items: readonly ItemIndex[];
  readonly resized: Retention["truncated"];
}

/** Local: one message with one text. The items of its texts share that message's size, and its images leave. */
export function keptJoined(view: ContextView, message: UserMessage, bytes: readonly Bytes[]): SelectedMessage {
  const { texts } = message;
  if (texts.length === 0) return emptied(view, message);
  const after: Shape = [USER_MESSAGE_BYTES, bytes];
  const before: Shape = [message.carried ? USER_MESSAGE_BYTES : wrapperBytes(texts.length), message.bytes];
  return {
    items: texts,
    resized: writtenAnew(view, message, before, after) ?? resizedTexts(view, message, before, after),
  };
}

/** A message of nothing but images leaves an empty text. Codex's own count has a size for that; the first image carries it. */
function emptied(view: ContextView, message: UserMessage): SelectedMessage {
  const items = message.images.slice(0, 1);
  if (message.carried) return { items, resized: [] };
  const isOwn = ownImageBytes(view, message, wrapperBytes(0)) !== undefined;
  if (!isOwn) return { items: [], resized: [] };
  return { items, resized: items.map((item) => [item, tokensOfBytes(USER_MESSAGE_BYTES)] as const) };
}

/**
 * Sizes of the texts of a message that is written anew, without id and images. Under Codex's own count they sumOf to what the new message measures,
 * whatever share the texts had before. `undefined` under another count.
 */
function writtenAnew(
  view: ContextView,
  message: UserMessage,
  before: Shape,
  after: Shape,
): Retention["truncated"] | undefined {
  const { texts } = message;
  if (ownImageBytes(view, message, jsonBytes(view.columns, texts, before)) === undefined) return undefined;
  const total = tokensOfBytes(jsonBytes(view.columns, texts, after));
  return total === tokensOf(view, texts) ? [] : shared(texts, total, after);
}

/** What images may take of their message: their URLs, or what `current` counts for these. */
function imageSizes({ measures, bytes }: SessionColumns, images: readonly ItemIndex[]): readonly Bytes[] {
  const sizeBy = (measure: CodexMeasure) =>
    sumOf(images.map((item) => IMAGE_ITEM_BYTES + (measures[measure]?.[item] ?? bytes[item] ?? 0)));
  return [sizeBy("codex.jsonBytes"), sizeBy("codex.imageBytes")];
}

/** Remote: the message as it was, without the texts for which there was no room. */
export function keptApart(view: ContextView, message: UserMessage, bytes: readonly Bytes[]): SelectedMessage {
  const stays = message.texts.filter((_, index) => message.bytes[index] === bytes[index] || (bytes[index] ?? 0) > 0);
  const changes = resizedTexts(
    view,
    message,
    [wrapperBytes(message.texts.length), message.bytes],
    [wrapperBytes(stays.length), bytes],
  );
  const items = [...stays, ...message.images].sort((a, b) => a - b);
  return { items, resized: changes.filter(([item]) => items.includes(item)) };
}

function wrapperBytes(texts: number): Bytes {
  return USER_MESSAGE_BYTES + CONTENT_ITEM_BYTES * (texts - 1);
}

/** The shape of a message: bytes of the wrapper, and bytes of every text. */
type Shape = readonly [wrapper: Bytes, texts: readonly Bytes[]];

/**
 * New token sizes of the texts where their message changes its shape; none where it keeps it. Images have a share of the JSON around the texts:
 * where more of it leaves than the texts have, the images become smaller too.
 */
function resizedTexts(view: ContextView, message: UserMessage, before: Shape, after: Shape): Retention["truncated"] {
  if (before[0] === after[0] && sumOf(before[1]) === sumOf(after[1])) return [];
  const { texts } = message;
  const was = jsonBytes(view.columns, texts, before);
  const is = jsonBytes(view.columns, texts, after);
  const images = tokensOf(view, message.images);
  const tokens = tokensOf(view, texts);
  const imageBytes = ownImageBytes(view, message, was);
  if (imageBytes === undefined) return shared(texts, resized(tokens, was, is), after);
  const total = resized(tokens + images, was + imageBytes, is + imageBytes);
  if (total >= images) return shared(texts, total - images, after);
  const shares = apportion(
    total,
    message.images.map((image) => view.tokensOf(image)),
  );
  const smaller = message.images.map((image, index) => [image, shares[index] ?? 0] as const);
  return [...shared(texts, 0, after), ...smaller].sort(([a], [b]) => a - b);
}

/** What the images take of a message that Codex's own count measures; `undefined` under another count. */
function ownImageBytes(view: ContextView, { texts, images }: UserMessage, textBytes: Bytes): Bytes | undefined {
  const whole = tokensOf(view, texts) + tokensOf(view, images);
  return imageSizes(view.columns, images).find((size) => isOwnCount(whole, textBytes + size));
}

function tokensOf(view: ContextView, items: readonly ItemIndex[]): Tokens {
  return sumOf(items.map((item) => view.tokensOf(item)));
}

function shared(texts: readonly ItemIndex[], total: Tokens, after: Shape): Retention["truncated"] {
  const shares = apportion(total, after[1]);
  return texts.map((item, index) => [item, shares[index] ?? 0] as const);
}

/** Bytes of a message's JSON. A text's escapes are assumed to be spread evenly over it. */
function jsonBytes(columns: SessionColumns, texts: readonly ItemIndex[], [wrapper, bytes]: Shape): Bytes {
  const escaped = columns.measures["codex.jsonBytes"];
  const parts = texts.map((item, index) => {
    const whole = columns.bytes[item] ?? 0;
    const now = bytes[index] ?? 0;
    return whole > 0 ? (now * (escaped?.[item] ?? whole)) / whole : now;
  });
  return Math.round(wrapper + sumOf(parts));
}
