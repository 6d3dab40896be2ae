import type { Bytes } from "@/lib/core/base/units";
import { utf8Length } from "@/lib/core/tokens/characters";
import { type BlockContent, type ItemEstimator, sharedOut, textAt } from "@/lib/core/tokens/item-estimator";
import type { Block, Message } from "@/lib/core/transcript/model";
import { blocksOf } from "./blocks";
import { keptByCompaction } from "./compaction";
import { itemTokens, replacedImageBytes } from "./estimate";
import { encryptedContent, type ResponseItem, toItem } from "./item";
import { imageUrl, type NativeItem, toNative } from "./native";
import { type CodexMeasure, RETAINED_LOCALLY, RETAINED_LOCALLY_CURRENT, RETAINED_REMOTELY } from "./policy";
import { CODEX_PRESETS, type CodexPreset } from "./presets";
import { itemsOfRecord } from "./record-contents";
import { isRetained, staysAfterwards } from "./remote";
import { textTokens } from "./tokens";

/**
 * Codex's token rule, item by item: the JSON of an item over four, hidden reasoning by the size of its encrypted text. An
 * item's tokens are shared out over its blocks. On Codex's own files the record is measured as it is, elsewhere the item
 * that the message would be.
 */
export function codexEstimatorOf(preset: CodexPreset): ItemEstimator {
  return {
    id: "codex",
    text: textTokens,
    message: (message) => {
      const item = toItem(message);
      return item === undefined ? undefined : itemTokens(item, preset);
    },
    blocks: (message, contents, format) =>
      sharedOut(
        message.blocks.map((block, index) => weightOf(block, textAt(contents, index), preset)),
        nativeItems(message, contents, format).map(({ item, blocks }) => ({
          tokens: itemTokens(item, preset),
          blocks,
        })),
      ),
  };
}

/** The rule of the default preset. */
export const codexEstimator: ItemEstimator = codexEstimatorOf(CODEX_PRESETS[0]);

/** The items that a message is, with the blocks that each carries. */
export function nativeItems(
  message: Message,
  contents: readonly BlockContent[],
  format: string,
): readonly NativeItem[] {
  const own = format === "codex" ? recordedItem(message, contents) : undefined;
  return own === undefined
    ? toNative(message, contents)
    : [{ item: own, blocks: message.blocks.map((_, index) => index) }];
}

/** The recorded item that a message was read from: found by the part of the record at which its first block stands. */
function recordedItem(message: Message, contents: readonly BlockContent[]): ResponseItem | undefined {
  const record = contents[0]?.record;
  if (record === undefined) return undefined;
  let part = message.blocks[0]?.source.part ?? 0;
  for (const item of itemsOfRecord(record)) {
    const blocks = blocksOf(item).length;
    if (part < blocks) return item;
    part -= blocks;
  }
  return undefined;
}

/** A block's weight within its item: its measured bytes, with what stands for an image in its place. */
function weightOf({ kind }: Block, text: string, preset: CodexPreset): Bytes {
  if (kind !== "image") return utf8Length(text);
  const url = imageUrl(text);
  return utf8Length(url) + (preset === "current" ? replacedImageBytes(url) : 0);
}

/** What the columnar policy asks for beyond tokens: one number a block, by measure. */
export type CodexMeasures = Readonly<Record<CodexMeasure, readonly number[]>>;

/**
 * Measures of a message's blocks, in their order; computed once on the server, like token columns.
 * - `codex.jsonBytes`: UTF-8 bytes of the block's text as it stands within JSON, quotes not counted; of an image its URL's
 * - `codex.retained`: who keeps the message as a user message: 1 local compaction, 4 that of `current`, 2 remote compaction
 * - `codex.encrypted`: 1 for reasoning whose text is encrypted
 */
export function codexMeasures(message: Message, contents: readonly BlockContent[], format: string): CodexMeasures {
  // The items carry all blocks, in their order.
  const items = nativeItems(message, contents, format);
  const each = (value: (item: ResponseItem) => number) =>
    items.flatMap(({ item, blocks }) => blocks.map(() => value(item)));
  return {
    "codex.jsonBytes": message.blocks.map(({ kind }, index) => {
      const text = textAt(contents, index);
      return utf8Length(JSON.stringify(kind === "image" ? imageUrl(text) : text)) - 2;
    }),
    "codex.retained": each((item) => retainedBits(message, item, format)),
    "codex.encrypted": each((item) => (item.type === "reasoning" && encryptedContent(item) !== undefined ? 1 : 0)),
  };
}

/**
 * Codex knows by its marks which user messages a person typed. Another agent puts in messages of its own without those: of its
 * files only what was typed can stay.
 */
function retainedBits(message: Message, item: ResponseItem, format: string): number {
  if (message.origin === "summary" || (message.origin !== "typed" && format !== "codex")) return 0;
  const local = keptByCompaction(item, "release-2026-01") ? RETAINED_LOCALLY : 0;
  const current = keptByCompaction(item, "current") ? RETAINED_LOCALLY_CURRENT : 0;
  const remote = isRetained(item) && staysAfterwards(item) ? RETAINED_REMOTELY : 0;
  return local | current | remote;
}
