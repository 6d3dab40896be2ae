import { sumOf } from "@/lib/core/base/numbers";
import type { Bytes, ItemIndex, Tokens } from "@/lib/core/base/units";
import { KIND, type SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView, Retention } from "@/lib/core/compaction/policy/policy";
import { joined } from "@/lib/core/compaction/simulation/positions";
import { apportion } from "@/lib/core/tokens/item-estimator";
import {
  CONTENT_ITEM_BYTES,
  IMAGE_ITEM_BYTES,
  isOwnCount,
  resized,
  tokensOfBytes,
  USER_MESSAGE_BYTES,
} from "../base/constants";
import type { CodexMeasure } from "./measures";
import { costOf, limitsOf, type Selection, truncatedTo } from "./message-budget";
import { INITIAL, type MessageTable, messageTable, NO_MESSAGE } from "./message-table";

/**
 * The initial context and the newest user messages within the budget; the first that does not fit is truncated to the rest. Under every preset the
 * next request holds the initial context: the release puts it first, `current` sends it again with the turn. Source: README.md, "Presets".
 * @param end position after the history: items from there on enter afterwards, unchanged
 */
export function keptMessages(view: ContextView, selection: Selection, end: number): KeptMessages {
  return new MessageWalk(view, selection, end).result();
}

type KeptMessages = Pick<Retention, "kept" | "truncated"> & Required<Pick<Retention, "limits">>;

/** One message's items in the context: the newest and the oldest position, and their number. */
interface Found {
  readonly index: number;
  readonly carried: boolean;
  readonly high: number;
  readonly low: number;
  readonly count: number;
}

/**
 * Walks the context from its newest item to its oldest. An unchanged message costs only a look at its items: under a low limit, a compaction at every
 * request keeps hundreds of them.
 */
class MessageWalk {
  readonly #messages: MessageTable;
  /** Kept ranges, newest first. */
  readonly #kept: [number, number][] = [];
  readonly #truncated: (readonly [ItemIndex, Tokens])[] = [];
  readonly #limits: (readonly [ItemIndex, Tokens])[] = [];
  #remaining: Tokens;
  /** Cost of the messages that an earlier compaction kept, except the oldest of them. */
  #carriedCost: Tokens = 0;

  constructor(
    private readonly view: ContextView,
    private readonly selection: Selection,
    private readonly end: number,
  ) {
    this.#messages = messageTable(view.columns, selection);
    this.#remaining = selection.budget;
  }

  result(): KeptMessages {
    const { length } = this.view.columns;
    const items = this.view.items.list();
    const { of } = this.#messages;
    const found = { index: NO_MESSAGE, carried: false, high: 0, low: 0, count: 0 };
    let carried = false;
    if (this.end < items.length) this.#keep(this.end, items.length);
    for (let position = this.end - 1; position >= 0; position--) {
      const item = items[position] ?? -1;
      // The user messages before a summary went through its compaction.
      if (item >= length) carried = true;
      const index = item < length ? (of[item] ?? NO_MESSAGE) : NO_MESSAGE;
      if (index === NO_MESSAGE) continue;
      if (index === INITIAL) this.#keep(position, position + 1);
      else if (found.index === index) {
        found.low = position;
        found.count += 1;
      } else {
        if (found.count > 0) this.#take(found, false);
        found.index = index;
        found.carried = carried;
        found.high = position;
        found.low = position;
        found.count = 1;
      }
    }
    if (found.count > 0) this.#take(found, true);
    return {
      kept: joined(this.#kept.sort(([a], [b]) => a - b)),
      truncated: this.#truncated.reverse(),
      limits: this.#limits,
    };
  }

  #keep(from: number, to: number): void {
    const last = this.#kept.at(-1);
    if (last?.[0] === to) last[0] = from;
    else this.#kept.push([from, to]);
  }

  #keepMessage(found: Found, stays: (item: ItemIndex) => boolean): void {
    const { items } = this.view;
    for (const position of positionsIn(this.view, found, this.#messages)) {
      if (stays(items.at(position))) this.#keep(position, position + 1);
    }
  }

  #take(found: Found, isOldest: boolean): void {
    if (this.#remaining === 0) return;
    const cost = this.#messages.cost[found.index] ?? 0;
    const keepsShape = found.carried ? !isOldest : this.#messages.isPlain[found.index] === 1;
    if (found.carried && !isOldest) this.#carriedCost += cost;
    if (keepsShape && cost <= this.#remaining) {
      if (found.high - found.low + 1 === found.count) this.#keep(found.low, found.high + 1);
      else this.#keepMessage(found, () => true);
      this.#remaining -= cost;
    } else this.#takeChanged(found, isOldest);
  }

  #takeChanged(found: Found, isOldest: boolean): void {
    const whole = userMessage(this.view, found, this.#messages);
    const message = isOldest && found.carried ? this.#asCarried(whole) : whole;
    const cost = costOf(message.bytes, this.selection);
    const bytes = cost > this.#remaining ? truncatedTo(message.bytes, this.#remaining, this.selection) : message.bytes;
    const selected = (this.selection.remote ? keptApart : keptJoined)(this.view, message, bytes);
    const limits = limitsOf(message.bytes, this.#remaining, this.selection);
    this.#limits.push(...message.texts.map((item, index) => [item, limits[index] ?? 0] as const));
    const stays = new Set(selected.items);
    this.#keepMessage(found, (item) => stays.has(item));
    this.#truncated.push(...selected.resized.toReversed());
    this.#remaining = Math.max(0, this.#remaining - cost);
  }

  /** Of the messages that went through a compaction, only the oldest can have been truncated: to the budget that the others left. */
  #asCarried(message: UserMessage): UserMessage {
    const room = Math.max(0, this.selection.budget - this.#carriedCost);
    if (costOf(message.bytes, this.selection) <= room) return message;
    return { ...message, bytes: truncatedTo(message.bytes, room, this.selection) };
  }
}

/** A message built from its items in the context. */
function userMessage(view: ContextView, found: Found, table: MessageTable): UserMessage {
  const items = positionsIn(view, found, table)
    .map((position) => view.items.at(position))
    .reverse();
  const texts = items.filter((item) => view.columns.kind[item] !== KIND.image);
  const images = items.filter((item) => view.columns.kind[item] === KIND.image);
  const bytes = texts.map((item) => view.columns.bytes[item] ?? 0);
  return { texts, images, bytes, carried: found.carried };
}

/** The positions of a message's items, newest first. */
function positionsIn(view: ContextView, { index, high, low }: Found, { of }: MessageTable): number[] {
  const positions: number[] = [];
  for (let position = high; position >= low; position--) {
    if (of[view.items.at(position)] === index) positions.push(position);
  }
  return positions;
}

/** A user message of the context. */
interface UserMessage {
  readonly texts: readonly ItemIndex[];
  readonly images: readonly ItemIndex[];
  /** Current bytes of each text, which an earlier compaction may have truncated. */
  readonly bytes: readonly Bytes[];
  /** True if it already went through a compaction. */
  readonly carried: boolean;
}

/** A kept message: its kept items, and new sizes for changed ones. */
interface SelectedMessage {
  readonly items: readonly ItemIndex[];
  readonly resized: Retention["truncated"];
}

/** Local: one message with one text. The items of its texts share that message's size, and its images are dropped. */
function keptJoined(view: ContextView, message: UserMessage, bytes: readonly Bytes[]): SelectedMessage {
  const { texts } = message;
  if (texts.length === 0) return emptied(view, message);
  const after: Shape = [USER_MESSAGE_BYTES, bytes];
  const before: Shape = [message.carried ? USER_MESSAGE_BYTES : wrapperBytes(texts.length), message.bytes];
  return {
    items: texts,
    resized: rewrittenSizes(view, message, before, after) ?? resizedTexts(view, message, before, after),
  };
}

/** A message of images alone leaves an empty text. Codex's own count has a size for that; the first image gets it. */
function emptied(view: ContextView, message: UserMessage): SelectedMessage {
  const items = message.images.slice(0, 1);
  if (message.carried) return { items, resized: [] };
  const isOwn = ownImageBytes(view, message, wrapperBytes(0)) !== undefined;
  if (!isOwn) return { items: [], resized: [] };
  return { items, resized: items.map((item) => [item, tokensOfBytes(USER_MESSAGE_BYTES)] as const) };
}

/**
 * Sizes of the texts of a rewritten message, without id and images. Under Codex's own count they sum to the size of the new message, whatever share
 * the texts had before. `undefined` under another count.
 */
function rewrittenSizes(
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

/** Maximum sizes of images within their message: their URLs, or the size that `current` counts for these. */
function imageSizes({ measures, bytes }: SessionColumns, images: readonly ItemIndex[]): readonly Bytes[] {
  const sizeBy = (measure: CodexMeasure) =>
    sumOf(images.map((item) => IMAGE_ITEM_BYTES + (measures[measure]?.[item] ?? bytes[item] ?? 0)));
  return [sizeBy("codex.jsonBytes"), sizeBy("codex.imageBytes")];
}

/** Remote: the unchanged message, without the texts beyond the budget. */
function keptApart(view: ContextView, message: UserMessage, bytes: readonly Bytes[]): SelectedMessage {
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
 * New token sizes of the texts if their message changes its shape; none if not. Images have a share of the JSON around the texts: if more of it is
 * dropped than the texts have, the images become smaller too.
 */
function resizedTexts(view: ContextView, message: UserMessage, before: Shape, after: Shape): Retention["truncated"] {
  if (before[0] === after[0] && sumOf(before[1]) === sumOf(after[1])) return [];
  const { texts } = message;
  const bytesBefore = jsonBytes(view.columns, texts, before);
  const bytesAfter = jsonBytes(view.columns, texts, after);
  const images = tokensOf(view, message.images);
  const tokens = tokensOf(view, texts);
  const imageBytes = ownImageBytes(view, message, bytesBefore);
  if (imageBytes === undefined) return shared(texts, resized(tokens, bytesBefore, bytesAfter), after);
  const total = resized(tokens + images, bytesBefore + imageBytes, bytesAfter + imageBytes);
  if (total >= images) return shared(texts, total - images, after);
  const shares = apportion(
    total,
    message.images.map((image) => view.tokensOf(image)),
  );
  const smaller = message.images.map((image, index) => [image, shares[index] ?? 0] as const);
  return [...shared(texts, 0, after), ...smaller].sort(([a], [b]) => a - b);
}

/** Bytes of the images in a message measured by Codex's own count; `undefined` under another count. */
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
