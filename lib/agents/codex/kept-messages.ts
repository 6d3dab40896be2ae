import type { Bytes, ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, KINDS, ORIGINS, type SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView, Retention } from "@/lib/core/compaction/policy";
import { apportion } from "@/lib/core/tokens/item-estimator";
import {
  CONTENT_ITEM_BYTES,
  IMAGE_BYTES,
  IMAGE_ITEM_BYTES,
  isOwnCount,
  resized,
  tokensOfBytes,
  truncatedBytes,
  USER_MESSAGE_BYTES,
} from "./constants";

/** Which user messages a compaction keeps. */
export interface Selection {
  /** Remote compaction keeps a message's texts apart, and its images; local compaction joins the texts to one. */
  readonly remote: boolean;
  /** Messages have an id, which local compaction leaves off. */
  readonly withIds: boolean;
  readonly budget: Tokens;
  /** Bit of the measure `codex.retained`. */
  readonly bit: number;
}

/**
 * The initial context, and the newest user messages within the budget, the first that does not fit truncated to the rest.
 * Every preset has the initial context in the next request: the release puts it in front, `current` sends it again with
 * the turn. Source: systems/codex.md §5 and §6.
 */
export function keptMessages(view: ContextView, selection: Selection): Pick<Retention, "kept" | "truncated"> {
  return new MessageWalk(view, selection).result();
}

/** A user message of the context. */
interface UserMessage {
  readonly texts: readonly ItemIndex[];
  readonly images: readonly ItemIndex[];
  /** Bytes of each text as it stands now: an earlier compaction may have truncated it. */
  readonly bytes: readonly Bytes[];
  /** It went through a compaction already. */
  readonly carried: boolean;
}

/** A kept message: its items that stay, and those of them whose size changes. */
interface SelectedMessage {
  readonly items: readonly ItemIndex[];
  readonly resized: Retention["truncated"];
}

/** One message's items in the context: the newest's position and the oldest's, and how many there are. */
interface Found {
  readonly index: number;
  readonly carried: boolean;
  readonly high: number;
  readonly low: number;
  readonly count: number;
}

/**
 * Walks the context from its newest item to its oldest. A message that stays as it is costs a look at its items and no
 * more: under a low limit a compaction at every request carries hundreds of them along.
 */
class MessageWalk {
  readonly #messages: MessageTable;
  /** Kept ranges, newest first. */
  readonly #kept: [number, number][] = [];
  readonly #truncated: (readonly [ItemIndex, Tokens])[] = [];
  #remaining: Tokens;
  /** What the messages that were carried by an earlier compaction cost, the oldest apart. */
  #carriedCost: Tokens = 0;

  constructor(
    private readonly view: ContextView,
    private readonly selection: Selection,
  ) {
    this.#messages = messageTable(view.columns, selection);
    this.#remaining = selection.budget;
  }

  result(): Pick<Retention, "kept" | "truncated"> {
    const { columns, items } = this.view;
    const { of } = this.#messages;
    const length = columns.length;
    const found = { index: NO_MESSAGE, carried: false, high: 0, low: 0, count: 0 };
    let carried = false;
    for (let position = items.length - 1; position >= 0; position--) {
      const item = items.at(position);
      // The user messages before a summary went through the compaction that made it.
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
    return { kept: this.#ranges(), truncated: this.#truncated.reverse() };
  }

  #ranges(): Retention["kept"] {
    const ranges = this.#kept.sort(([a], [b]) => a - b);
    const merged: [number, number][] = [];
    for (const range of ranges) {
      const last = merged.at(-1);
      if (last?.[1] === range[0]) last[1] = range[1];
      else merged.push(range);
    }
    return merged;
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
    const stays = new Set(selected.items);
    this.#keepMessage(found, (item) => stays.has(item));
    this.#truncated.push(...selected.resized.toReversed());
    this.#remaining = Math.max(0, this.#remaining - cost);
  }

  /** Of the messages that went through a compaction only the oldest can have been truncated: to what the others left. */
  #asCarried(message: UserMessage): UserMessage {
    const room = Math.max(0, this.selection.budget - this.#carriedCost);
    if (costOf(message.bytes, this.selection) <= room) return message;
    return { ...message, bytes: truncatedTo(message.bytes, room, this.selection) };
  }
}

const NO_MESSAGE = -1;
/** An item of the initial context, which every compaction keeps. */
const INITIAL = -2;

/** The user messages of a recording under a selection: made once, a slider reuses it. */
interface MessageTable {
  /** Number of the user message that a row belongs to, `NO_MESSAGE` or `INITIAL`. */
  readonly of: Int32Array;
  /** Tokens of the budget, by number of the message. */
  readonly cost: readonly Tokens[];
  /** 1 where a compaction leaves the message's shape as it is. */
  readonly isPlain: readonly number[];
}

const tables = new WeakMap<SessionColumns, Map<string, MessageTable>>();

function messageTable(columns: SessionColumns, selection: Selection): MessageTable {
  const known = tables.get(columns) ?? new Map<string, MessageTable>();
  tables.set(columns, known);
  const key = `${selection.remote} ${selection.withIds} ${selection.bit}`;
  const table = known.get(key) ?? makeTable(columns, selection);
  known.set(key, table);
  return table;
}

function makeTable(columns: SessionColumns, selection: Selection): MessageTable {
  const of = new Int32Array(columns.length).fill(NO_MESSAGE);
  const messages: { index: number; bytes: Bytes[]; images: number }[] = [];
  for (let row = columns.overheadRows; row < columns.length; row++) {
    if (((columns.flags[row] ?? 0) & FLAG.INITIAL_CONTEXT) !== 0) of[row] = INITIAL;
    else if (isKept(columns, row, selection.bit)) {
      const index = columns.message[row] ?? -1;
      if (messages.at(-1)?.index !== index) messages.push({ index, bytes: [], images: 0 });
      const last = messages.at(-1);
      if (columns.kind[row] === IMAGE && last !== undefined) last.images += 1;
      else last?.bytes.push(columns.bytes[row] ?? 0);
      of[row] = messages.length - 1;
    }
  }
  return {
    of,
    cost: messages.map(({ bytes }) => costOf(bytes, selection)),
    isPlain: messages.map(({ bytes, images }) => (isPlain(selection, bytes.length, images) ? 1 : 0)),
  };
}

/** Whether a compaction leaves the message as it is. Local ones write it anew: its texts in one, without images or an id. */
function isPlain({ remote, withIds }: Selection, texts: number, images: number): boolean {
  return remote || (!withIds && texts === 1 && images === 0);
}

const IMAGE = KINDS.indexOf("image");
const TYPED = ORIGINS.indexOf("typed");

/** A message as its items in the context make it up. */
function userMessage(view: ContextView, found: Found, table: MessageTable): UserMessage {
  const items = positionsIn(view, found, table)
    .map((position) => view.items.at(position))
    .reverse();
  const texts = items.filter((item) => view.columns.kind[item] !== IMAGE);
  const images = items.filter((item) => view.columns.kind[item] === IMAGE);
  const bytes = texts.map((item) => view.columns.bytes[item] ?? 0);
  return { texts, images, bytes, carried: found.carried };
}

/** Where a message's items stand, newest first. */
function positionsIn(view: ContextView, { index, high, low }: Found, { of }: MessageTable): number[] {
  const positions: number[] = [];
  for (let position = high; position >= low; position--) {
    if (of[view.items.at(position)] === index) positions.push(position);
  }
  return positions;
}

/** Tokens that a message takes of the budget. */
function costOf(bytes: readonly Bytes[], { remote }: Selection): Tokens {
  return remote ? Math.max(1, sum(bytes.map(tokensOfBytes))) : tokensOfBytes(sum(bytes));
}

/** The texts' bytes within a budget: joined and cut in the middle, or cut one by one until it is used up. */
function truncatedTo(bytes: readonly Bytes[], budget: Tokens, { remote }: Selection): readonly Bytes[] {
  if (!remote) return apportion(truncatedBytes(sum(bytes), budget), bytes);
  let remaining = budget;
  return bytes.map((size) => {
    if (remaining === 0) return 0;
    const after = truncatedBytes(size, remaining);
    remaining = Math.max(0, remaining - tokensOfBytes(size));
    return after;
  });
}

/** Local: one message of one text. The items of its texts share that message's size, its images go. */
function keptJoined(view: ContextView, message: UserMessage, bytes: readonly Bytes[]): SelectedMessage {
  const { texts } = message;
  const after: Shape = [USER_MESSAGE_BYTES, bytes];
  const before: Shape = [message.carried ? USER_MESSAGE_BYTES : wrapperBytes(texts.length), message.bytes];
  return {
    items: texts,
    resized: writtenAnew(view, message, before, after) ?? resizedTexts(view, message, before, after),
  };
}

/**
 * Sizes of the texts of a message that is written anew, which leaves it no id and no image: under Codex's own count what
 * that message measures, whatever share the texts had. `undefined` under another count.
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

/** What images may take of their message: their payload, or what `current` counts in its place. */
function imageSizes(columns: SessionColumns, images: readonly ItemIndex[]): readonly Bytes[] {
  if (images.length === 0) return [0];
  const urls = images.map(
    (item) => IMAGE_ITEM_BYTES + (columns.measures["codex.jsonBytes"]?.[item] ?? columns.bytes[item] ?? 0),
  );
  return [sum(urls), images.length * (IMAGE_ITEM_BYTES + IMAGE_BYTES)];
}

/** Remote: the message as it was, less the texts for which there was no room. */
function keptApart(view: ContextView, message: UserMessage, bytes: readonly Bytes[]): SelectedMessage {
  const stays = message.texts.filter((_, index) => message.bytes[index] === bytes[index] || (bytes[index] ?? 0) > 0);
  const changes = resizedTexts(
    view,
    message,
    [wrapperBytes(message.texts.length), message.bytes],
    [wrapperBytes(stays.length), bytes],
  );
  const items = new Set(stays);
  return {
    items: [...stays, ...message.images].sort((a, b) => a - b),
    resized: changes.filter(([item]) => items.has(item)),
  };
}

function wrapperBytes(texts: number): Bytes {
  return USER_MESSAGE_BYTES + CONTENT_ITEM_BYTES * Math.max(0, texts - 1);
}

/** A message around its texts: bytes of the wrapper, and of every text. */
type Shape = readonly [wrapper: Bytes, texts: readonly Bytes[]];

/** The texts' tokens when their message changes its shape; none where it keeps it. */
function resizedTexts(view: ContextView, message: UserMessage, before: Shape, after: Shape): Retention["truncated"] {
  if (before[0] === after[0] && sum(before[1]) === sum(after[1])) return [];
  const { texts } = message;
  const was = jsonBytes(view.columns, texts, before);
  const is = jsonBytes(view.columns, texts, after);
  const images = tokensOf(view, message.images);
  const tokens = tokensOf(view, texts);
  const imageBytes = ownImageBytes(view, message, was);
  const total =
    imageBytes === undefined
      ? resized(tokens, was, is)
      : Math.max(0, resized(tokens + images, was + imageBytes, is + imageBytes) - images);
  return shared(texts, total, after);
}

/** What the images take of a message that Codex's own count measures; `undefined` under another count. */
function ownImageBytes(view: ContextView, { texts, images }: UserMessage, textBytes: Bytes): Bytes | undefined {
  const whole = tokensOf(view, texts) + tokensOf(view, images);
  return imageSizes(view.columns, images).find((size) => isOwnCount(whole, textBytes + size));
}

function tokensOf(view: ContextView, items: readonly ItemIndex[]): Tokens {
  return sum(items.map((item) => view.tokensOf(item)));
}

function shared(texts: readonly ItemIndex[], total: Tokens, after: Shape): Retention["truncated"] {
  const shares = apportion(total, after[1]);
  return texts.map((item, index) => [item, shares[index] ?? 0] as const);
}

/** Bytes of a message's JSON. A text's escapes are taken to be spread evenly over it. */
function jsonBytes(columns: SessionColumns, texts: readonly ItemIndex[], [wrapper, bytes]: Shape): Bytes {
  const escaped = columns.measures["codex.jsonBytes"];
  const parts = texts.map((item, index) => {
    const whole = columns.bytes[item] ?? 0;
    const now = bytes[index] ?? 0;
    return whole > 0 ? (now * (escaped?.[item] ?? whole)) / whole : now;
  });
  return Math.round(wrapper + sum(parts));
}

/** Where the measure is not there, what a person typed. */
function isKept(columns: SessionColumns, item: ItemIndex, bit: number): boolean {
  const retained = columns.measures["codex.retained"];
  return retained === undefined ? columns.origin[item] === TYPED : ((retained[item] ?? 0) & bit) !== 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}
