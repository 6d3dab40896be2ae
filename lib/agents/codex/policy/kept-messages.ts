import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { KIND } from "@/lib/core/columns/columns";
import type { ContextView, Retention } from "@/lib/core/compaction/policy";
import { joined } from "@/lib/core/compaction/simulation/positions";
import { costOf, limitsOf, type Selection, truncatedTo } from "./message-budget";
import { keptApart, keptJoined, type UserMessage } from "./message-shape";
import { INITIAL, type MessageTable, messageTable, NO_MESSAGE } from "./message-table";

/**
 * The initial context and the newest user messages within the budget; the first that does not fit is truncated to the rest. Under every preset
 * the next request holds the initial context: the release puts it first, `current` sends it again with the turn. Source: README.md, "Presets".
 * @param end position after the history: items from there on enter afterwards, unchanged
 */
export function keptMessages(view: ContextView, selection: Selection, end: number): KeptMessages {
  return new MessageWalk(view, selection, end).result();
}

type KeptMessages = Pick<Retention, "kept" | "truncated"> & Required<Pick<Retention, "limits">>;

/** One message's items in the context: the positions of the newest and the oldest, and how many there are. */
interface Found {
  readonly index: number;
  readonly carried: boolean;
  readonly high: number;
  readonly low: number;
  readonly count: number;
}

/**
 * Walks the context from its newest item to its oldest. A message that stays unchanged costs no more than a look at its items: under a low limit,
 * a compaction at every request carries hundreds of them along.
 */
class MessageWalk {
  readonly #messages: MessageTable;
  /** Kept ranges, newest first. */
  readonly #kept: [number, number][] = [];
  readonly #truncated: (readonly [ItemIndex, Tokens])[] = [];
  readonly #limits: (readonly [ItemIndex, Tokens])[] = [];
  #remaining: Tokens;
  /** Cost of the messages that an earlier compaction carried along, except the oldest of them. */
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

  /** Of the messages that went through a compaction, only the oldest can have been truncated: to what the others left. */
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
