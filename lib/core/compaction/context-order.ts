import { assert } from "../base/assert";
import type { ItemIndex } from "../base/units";
import type { Positions, Retention } from "./policy";

/**
 * The items of a simulated context in their order: what earlier compactions left (`head`), then a stretch of the trajectory
 * (`tail`) that only grows. Entering costs nothing, a compaction as much as it keeps in front of the tail.
 */
export class ContextOrder {
  /** The trajectory's items. */
  readonly #items: Int32Array;
  /** The head's items in the first `#headLength` places, and the room in which the next head is put together. */
  #head = new Int32Array(64);
  #nextHead = new Int32Array(64);
  #headLength = 0;
  #tailFrom = 0;
  #tailTo = 0;
  /** Room for the items as one list, and the list, once somebody has asked for it. */
  #room = new Int32Array(64);
  #list: Int32Array | undefined;

  constructor(items: Int32Array) {
    this.#items = items;
  }

  get length(): number {
    return this.#headLength + this.#tailTo - this.#tailFrom;
  }

  /** How many of the trajectory's items have entered. */
  get entered(): number {
    return this.#tailTo;
  }

  /** The item at a position, oldest first. */
  at(position: number): ItemIndex {
    const inTail = position - this.#headLength;
    return (inTail < 0 ? this.#head[position] : this.#items[this.#tailFrom + inTail]) ?? -1;
  }

  /** All items in one array, which holds until the order changes. Not to be written. */
  list(): Int32Array {
    this.#list ??= this.#headLength === 0 ? this.#items.subarray(this.#tailFrom, this.#tailTo) : this.#joined();
    return this.#list;
  }

  #joined(): Int32Array {
    if (this.#room.length < this.length) this.#room = new Int32Array(this.length * 2);
    const [room, head, items] = [this.#room, this.#head, this.#items];
    // Most contexts are short: views to copy from would cost more than the copying.
    let place = 0;
    for (; place < this.#headLength; place++) room[place] = head[place] ?? -1;
    for (let position = this.#tailFrom; position < this.#tailTo; position++) room[place++] = items[position] ?? -1;
    return room.subarray(0, place);
  }

  /** Lets the trajectory's items up to a position enter. */
  enter(to: number): void {
    this.#tailTo = to;
    this.#list = undefined;
  }

  /**
   * Leaves what stands at some positions, with added items in front of it or behind it; a kept end of the tail stays where it is.
   * @param entering so many of the newest of those stand behind what is added at the back: of the tail, and without a gap
   */
  rearrange(kept: Positions, added: readonly ItemIndex[], addedAt: Retention["addedAt"], entering = 0): void {
    const tailFrom = this.#nextTailFrom(kept, addedAt === "front" || added.length === 0, entering);
    const next = this.#nextHeadOf(added.length, kept, tailFrom);
    const items = this.list();
    let place = 0;
    if (addedAt === "front") for (const item of added) next[place++] = item;
    for (const [from, to] of kept) {
      const end = Math.min(to, tailFrom);
      for (let position = from; position < end; position++) next[place++] = items[position] ?? -1;
    }
    if (addedAt === "back") for (const item of added) next[place++] = item;
    this.#tailFrom += tailFrom - this.#headLength;
    [this.#head, this.#nextHead] = [next, this.#head];
    this.#headLength = place;
    this.#list = undefined;
  }

  /** Position from which the tail stays where it is. @param isFree whether nothing is added behind what stays */
  #nextTailFrom(kept: Positions, isFree: boolean, entering: number): number {
    const { length } = this;
    const last = kept.at(-1);
    const stays = last?.[1] === length ? Math.max(this.#headLength, last[0]) : length;
    if (isFree) return stays;
    assert(length - entering >= stays, "what enters after a compaction to stand at the end, without a gap");
    return length - entering;
  }

  /** Room for a head: taken in turns, a policy that fires before every request would leave thousands to be collected. */
  #nextHeadOf(added: number, kept: Positions, tailFrom: number): Int32Array<ArrayBuffer> {
    let needed = added;
    for (const [from, to] of kept) needed += Math.max(0, Math.min(to, tailFrom) - from);
    if (this.#nextHead.length < needed) this.#nextHead = new Int32Array(needed * 2);
    return this.#nextHead;
  }
}
