import { utf8Length } from "@/lib/core/base/characters";
import type { Bytes, Tokens } from "@/lib/core/base/units";
import { type BlockContent, type ItemEstimator, sharedOut, textAt } from "@/lib/core/tokens/item-estimator";
import type { Block, Message } from "@/lib/core/transcript/model";
import { CODEX_PRESETS, type CodexPreset, undocumentedRules } from "./base/presets";
import { isContextualUserMessage, isRealUserMessage, isSummaryText, isTurnAborted } from "./messages/contextual";
import { itemTokens, replacedImageBytes } from "./messages/estimate";
import {
  contentItems,
  isImageLabel,
  isMessage,
  type ResponseItem,
  stringField,
  toItem,
  typedTexts,
} from "./messages/item";
import { hiddenBytes, unmasked } from "./messages/masked";
import { imageUrl, type NativeItem, toNative } from "./messages/native";
import { itemsOfRecord } from "./messages/record-contents";
import { isKnownKind } from "./messages/serialize";
import { textTokens } from "./messages/tokens";
import {
  type CodexMeasure,
  REMOVED,
  RETAINED_LOCALLY,
  RETAINED_LOCALLY_CURRENT,
  RETAINED_REMOTELY,
  UNPAIRED,
} from "./policy/measures";
import { blocksOf, contentBlock } from "./read/blocks";
import { forPrompt } from "./sent/normalize";

/**
 * Codex's token rule, item by item: the bytes of an item's JSON divided by four; hidden reasoning counts by the size of its encrypted text. An item's
 * tokens are distributed over its blocks. On Codex's own files the record itself is measured, elsewhere the item that the message would be.
 */
export function codexEstimatorOf(preset: CodexPreset): ItemEstimator {
  return {
    id: "codex",
    text: textTokens,
    message: (message) => {
      const item = toItem(message);
      return item === undefined ? undefined : tokensInHistory(item, preset);
    },
    blocks: (message, contents, format) =>
      sharedOut(
        message.blocks.map((block, index) => weightOf(block, textAt(contents, index), preset, format)),
        nativeItems(message, contents, format).map(({ item, blocks }) => ({
          tokens: tokensInHistory(item, preset),
          blocks,
        })),
      ),
  };
}

/** Tokens of an item in the history; 0 for kinds unknown to the preset, which never enter the history. */
function tokensInHistory(item: ResponseItem, preset: CodexPreset): Tokens {
  return isKnownKind(item, preset) ? itemTokens(item, preset) : 0;
}

/** The rule of the default preset. */
export const codexEstimator: ItemEstimator = codexEstimatorOf(CODEX_PRESETS[0]);

/** The items that a message becomes, each with its blocks. Masked content has its original length again. */
export function nativeItems(
  message: Message,
  contents: readonly BlockContent[],
  format: string,
): readonly NativeItem[] {
  const own = format === "codex" ? recordedItem(message, contents) : undefined;
  return own === undefined
    ? toNative(message, contents)
    : [{ item: unmasked(own, message.blocks[0]), blocks: message.blocks.map((_, index) => index) }];
}

/** The recorded item of a message: the one with the part of its first block. */
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

/** A block's weight within its item: its measured bytes; for an image, the bytes that it counts as. */
function weightOf({ kind }: Block, text: string, preset: CodexPreset, format: string): Bytes {
  if (kind !== "image") return utf8Length(text);
  const url = urlInItem(text, format);
  return utf8Length(url) + (preset === "current" ? replacedImageBytes(url) : 0);
}

/** The URL of an image in its item: in Codex's own files the recorded value, which is not a URL if a publisher masked it. */
function urlInItem(image: string, format: string): string {
  return format === "codex" ? image : imageUrl(image);
}

/** Numbers that the policy needs besides tokens: for each measure, one number for each block. */
export type CodexMeasures = Readonly<Record<CodexMeasure, readonly number[]>>;

/**
 * Measures of a message's blocks, in their order; computed once on the server, like token columns.
 * - `codex.jsonBytes`: UTF-8 bytes of the block's text within JSON, without quotes; for an image, those of its URL
 * - `codex.retained`: bits for the compactions that keep the block as part of a user message: 1 local, 4 local of `current`, 2 remote, which alone
 * keeps the labels around images
 * - `codex.hidden`: bytes behind the encrypted text of reasoning, including estimated ones
 * - `codex.imageBytes`: bytes that `current` counts for an image's URL
 * - `codex.unpaired`, by preset: effect of pairing on the block if its call or output is missing
 */
export function codexMeasures(message: Message, contents: readonly BlockContent[], format: string): CodexMeasures {
  // The items together carry all blocks, in order.
  const items = nativeItems(message, contents, format);
  return {
    "codex.jsonBytes": message.blocks.map(({ kind }, index) => {
      const text = textAt(contents, index);
      return utf8Length(JSON.stringify(kind === "image" ? urlInItem(text, format) : text)) - 2;
    }),
    "codex.retained": items.flatMap(({ item, blocks }) => {
      const bits = retainedBits(message, item, format);
      const labels = imageLabels(item);
      return blocks.map((_, index) => (labels[index] === true ? bits & RETAINED_REMOTELY : bits));
    }),
    "codex.hidden": items.flatMap(({ item, blocks }) =>
      blocks.map(() => (item.type === "reasoning" ? hiddenBytes(item) : 0)),
    ),
    "codex.imageBytes": message.blocks.map((block, index) =>
      block.kind === "image" ? weightOf(block, textAt(contents, index), "current", format) : 0,
    ),
    ...unpairedMeasures(message, items, format),
  };
}

/** Some readers of other formats do not read calls, so an output is known to have none only in Codex's own files. */
function unpairedMeasures(message: Message, items: readonly NativeItem[], format: string) {
  const of = (preset: CodexPreset) => {
    const least = format === "codex" ? REMOVED : 0;
    const alone = items.map(({ item }) => Math.max(least, changeAlone(item, preset)));
    // A generated output is added once, with the first block of its call.
    const ofBlock = (change: Tokens, place: number) => (place > 0 ? Math.min(0, change) : change);
    const change = new Map(
      items.flatMap(({ blocks }, at) => blocks.map((block, place) => [block, ofBlock(alone[at] ?? 0, place)] as const)),
    );
    // A block without an id cannot be matched with a call.
    return message.blocks.map(({ callId }, index) => (callId === undefined ? 0 : (change.get(index) ?? 0)));
  };
  return {
    [UNPAIRED["as-documented"]]: of("as-documented"),
    [UNPAIRED["release-2026-01"]]: of("release-2026-01"),
    [UNPAIRED.current]: of("current"),
  };
}

/** Tokens that pairing adds to a prompt of this one item; `REMOVED` if the prompt omits the item. Only calls and outputs change. */
function changeAlone(item: ResponseItem, preset: CodexPreset): Tokens {
  const [kept, added] = forPrompt([item], preset);
  if (kept === undefined) return item.type === "ghost_snapshot" ? 0 : REMOVED;
  return added === undefined ? 0 : itemTokens(added, preset);
}

/** By block of an item, true for a label that Codex put around an image. */
export function imageLabels(item: ResponseItem): readonly boolean[] {
  const content = item.type === "message" ? contentItems(item.content) : [];
  return content.flatMap((entry, index) => contentBlock(entry).map(() => isImageLabel(content, index)));
}

/**
 * Codex recognises typed user messages by their marks. Other agents insert messages without these marks, so in their files only typed ones can be
 * kept.
 */
function retainedBits(message: Message, item: ResponseItem, format: string): number {
  if (message.origin === "summary" || (message.origin !== "typed" && format !== "codex")) return 0;
  const local = keptByCompaction(item, "release-2026-01") ? RETAINED_LOCALLY : 0;
  const current = keptByCompaction(item, "current") ? RETAINED_LOCALLY_CURRENT : 0;
  const remote = isRetained(item) && staysAfterwards(item) ? RETAINED_REMOTELY : 0;
  return local | current | remote;
}

/** The release also keeps the marker of an aborted turn. */
export function isKeptUserMessage(item: ResponseItem, preset: CodexPreset): boolean {
  if (isRealUserMessage(item, preset)) return true;
  return preset !== "current" && isMessage(item, "user") && isTurnAborted(item);
}

/** True if local compaction keeps the item as a user message. */
function keptByCompaction(item: ResponseItem, preset: CodexPreset): boolean {
  return isKeptUserMessage(item, undocumentedRules(preset)) && !isSummaryText(typedTexts(item).join(""));
}

/** Mail from another agent above this size is dropped. */
const MAX_AGENT_MESSAGE_TOKENS: Tokens = 10_000;
const FINAL_ANSWER = "Message Type: FINAL_ANSWER";
const RETAINED_ROLES = new Set(["user", "developer", "system"]);

/** The first filter keeps messages of the user and of the agent, and mail that is neither a final answer nor long. */
export function isRetained(item: ResponseItem): boolean {
  if (item.type === "message") return RETAINED_ROLES.has(stringField(item, "role") ?? "");
  if (item.type !== "agent_message") return false;
  const first = contentItems(item.content)[0];
  const text = first === undefined ? undefined : stringField(first, "text");
  return !(text ?? "").startsWith(FINAL_ANSWER) && itemTokens(item, "current") <= MAX_AGENT_MESSAGE_TOKENS;
}

/** The second filter drops content that the agent sends again anyway. */
export function staysAfterwards(item: ResponseItem): boolean {
  if (item.type === "agent_message") return true;
  return isMessage(item, "user") && !isContextualUserMessage(item, "current");
}
