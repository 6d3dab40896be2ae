import type { Bytes, ItemIndex, Tokens } from "@/lib/core/base/units";
import { KINDS, ORIGINS, type SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView } from "@/lib/core/compaction/policy";
import { apportion } from "@/lib/core/tokens/item-estimator";
import {
  CONTENT_ITEM_BYTES,
  IMAGE_ITEM_BYTES,
  isOwnCount,
  resized,
  tokensOfBytes,
  truncatedBytes,
  USER_MESSAGE_BYTES,
} from "./sizes";

/** Which user messages a compaction keeps, from numbers alone. Browser-safe. */

export interface Selection {
  /** Remote compaction keeps a message's texts apart, and its images; local compaction joins the texts to one. */
  readonly remote: boolean;
  readonly budget: Tokens;
  /** Bit of the measure `codex.retained`. */
  readonly bit: number;
}

/** A kept message: its items that stay, and those of them whose size changes. */
export interface SelectedMessage {
  readonly items: readonly ItemIndex[];
  readonly resized: readonly (readonly [ItemIndex, Tokens])[];
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

const IMAGE = KINDS.indexOf("image");
const TYPED = ORIGINS.indexOf("typed");

/** The newest user messages within the budget, the first that does not fit truncated to the rest. In context order. */
export function selectMessages(view: ContextView, selection: Selection): readonly SelectedMessage[] {
  const selected: SelectedMessage[] = [];
  let remaining = selection.budget;
  for (const message of currentMessages(view, selection).toReversed()) {
    if (remaining === 0) break;
    const cost = costOf(message.bytes, selection);
    const bytes = cost > remaining ? truncatedTo(message.bytes, remaining, selection) : message.bytes;
    selected.push(selection.remote ? keptApart(view, message, bytes) : keptJoined(view, message, bytes));
    remaining = Math.max(0, remaining - cost);
  }
  return selected.reverse();
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
  const wrapper = message.carried ? USER_MESSAGE_BYTES : wrapperBytes(texts.length);
  return {
    items: texts,
    resized: withoutImages(view, message, after) ?? resizedTexts(view, texts, [wrapper, message.bytes], after),
  };
}

/**
 * Sizes of the texts of a message that loses its images: under Codex's own count a text alone takes more than the share
 * that it had. `undefined` where there are none to lose, or under another count.
 */
function withoutImages(view: ContextView, message: UserMessage, after: Shape): SelectedMessage["resized"] | undefined {
  const { texts, images, carried } = message;
  if (images.length === 0 || carried) return undefined;
  const imageBytes = sum(images.map((item) => IMAGE_ITEM_BYTES + (view.columns.bytes[item] ?? 0)));
  const before = jsonBytes(view.columns, texts, [wrapperBytes(texts.length) + imageBytes, message.bytes]);
  const tokens = sum([...texts, ...images].map((item) => view.tokensOf(item)));
  if (!isOwnCount(tokens, before)) return undefined;
  return shared(texts, resized(tokens, before, jsonBytes(view.columns, texts, after)), after);
}

/** Remote: the message as it was, less the texts for which there was no room. */
function keptApart(view: ContextView, message: UserMessage, bytes: readonly Bytes[]): SelectedMessage {
  const stays = message.texts.filter((_, index) => message.bytes[index] === bytes[index] || (bytes[index] ?? 0) > 0);
  const changes = resizedTexts(
    view,
    message.texts,
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
function resizedTexts(
  view: ContextView,
  texts: readonly ItemIndex[],
  before: Shape,
  after: Shape,
): SelectedMessage["resized"] {
  if (before[0] === after[0] && sum(before[1]) === sum(after[1])) return [];
  const tokens = sum(texts.map((item) => view.tokensOf(item)));
  const total = resized(tokens, jsonBytes(view.columns, texts, before), jsonBytes(view.columns, texts, after));
  return shared(texts, total, after);
}

function shared(texts: readonly ItemIndex[], total: Tokens, after: Shape): SelectedMessage["resized"] {
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

/**
 * The user messages of the context as they stand now, oldest first. Of those that went through a compaction only the
 * oldest can have been truncated: to what the others left of the budget.
 */
function currentMessages(view: ContextView, selection: Selection): readonly UserMessage[] {
  const messages = userMessages(view, selection.bit);
  const [first, ...rest] = messages;
  if (first === undefined || !first.carried) return messages;
  const others = rest.filter((message) => message.carried).map((message) => costOf(message.bytes, selection));
  const room = Math.max(0, selection.budget - sum(others));
  if (costOf(first.bytes, selection) <= room) return messages;
  return [{ ...first, bytes: truncatedTo(first.bytes, room, selection) }, ...rest];
}

/** The user messages before a summary went through the compaction that made it. */
function userMessages(view: ContextView, bit: number): readonly UserMessage[] {
  const summary = newestSummary(view);
  const messages: { texts: ItemIndex[]; images: ItemIndex[]; bytes: Bytes[]; carried: boolean; index: number }[] = [];
  for (let position = 0; position < view.items.length; position++) {
    const item = view.items.at(position);
    if (item >= view.columns.length || !isKept(view.columns, item, bit)) continue;
    const index = view.columns.message[item] ?? -1;
    let last = messages.at(-1);
    if (last?.index !== index) {
      last = { texts: [], images: [], bytes: [], carried: position < summary, index };
      messages.push(last);
    }
    if (view.columns.kind[item] === IMAGE) last.images.push(item);
    else {
      last.texts.push(item);
      last.bytes.push(view.columns.bytes[item] ?? 0);
    }
  }
  return messages;
}

function newestSummary(view: ContextView): number {
  for (let position = view.items.length - 1; position >= 0; position--) {
    if (view.items.at(position) >= view.columns.length) return position;
  }
  return -1;
}

/** Where the measure is not there, what a person typed. */
function isKept(columns: SessionColumns, item: ItemIndex, bit: number): boolean {
  const retained = columns.measures["codex.retained"];
  return retained === undefined ? columns.origin[item] === TYPED : ((retained[item] ?? 0) & bit) !== 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}
