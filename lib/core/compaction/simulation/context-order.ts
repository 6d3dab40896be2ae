import { assert } from "../../base/assert";
import type { ItemIndex } from "../../base/units";
import type { Positions, Retention } from "../policy/policy";
import { countOf } from "./positions";

/** Free space in front of a copied list, for added items. */
const FREE_SPACE = 64;

/**
 * Items of a simulated context in order: a range of one list, followed by the items that have not entered yet. A compaction moves the kept items
 * towards the end of the range. Entering costs nothing. A compaction costs as much as it keeps, except for items that stay in place at the end.
 */
export class ContextOrder {
  /** The trajectory's items; after the first rearrangement a copy of them, with space in front. */
  #items: Int32Array;
  #isOwn = false;
  /** Index that the trajectory's first item would have in the list without any rearrangement. */
  #start = 0;
  /** The range: from `#from` up to, but not including, `#to`. */
  #from = 0;
  #to = 0;
  /** The range as an array, cached on first access. */
  #list: Int32Array | undefined;

  constructor(items: Int32Array) {
    this.#items = items;
  }

  get length(): number {
    return this.#to - this.#from;
  }

  /** Number of the trajectory's items that have entered. */
  get entered(): number {
    return this.#to - this.#start;
  }

  /** Returns the item at a position, oldest first; −1 for a negative position, even if an item that has left is still in the list there. */
  at(position: number): ItemIndex {
    return (position < 0 ? -1 : this.#items[this.#from + position]) ?? -1;
  }

  /** Returns all items in one array. It is valid until the order changes; do not write to it. */
  list(): Int32Array {
    this.#list ??= this.#items.subarray(this.#from, this.#to);
    return this.#list;
  }

  /** Adds the trajectory's items before position `to`. */
  enter(to: number): void {
    this.#to = this.#start + to;
    this.#list = undefined;
  }

  /**
   * Keeps the items at some positions, and puts the added items before or after them.
   * @param entering number of the newest items that follow items added at the back; they must be within the last kept range
   */
  rearrange(kept: Positions, added: readonly ItemIndex[], addedAt: Retention["addedAt"], entering = 0): void {
    const missing = countOf(kept) + added.length - this.#to;
    if (!this.#isOwn || missing > 0) this.#copy(FREE_SPACE + Math.max(0, 2 * missing));
    assert(entering <= this.#keptAtEnd(kept), "items that enter after a compaction to be the last ones, without a gap");
    const keptFrom = this.#moveToEnd(kept);
    const behind = addedAt === "front" ? keptFrom : this.#to - entering;
    this.#from = keptFrom - added.length;
    this.#list = undefined;
    if (behind > keptFrom) this.#items.copyWithin(this.#from, keptFrom, behind);
    let place = behind - added.length;
    for (const item of added) this.#items[place++] = item;
  }

  /** Number of items at the end that stay in place. */
  #keptAtEnd(kept: Positions): number {
    const last = kept.at(-1);
    return last?.[1] === this.length ? this.length - last[0] : 0;
  }

  /** Moves the kept items to the end of the range, the newest first, and returns the new start of the range. */
  #moveToEnd(kept: Positions): number {
    const [items, from] = [this.#items, this.#from];
    let place = this.#to;
    for (let index = kept.length - 1; index >= 0; index--) {
      const [start, end] = kept[index] ?? [0, 0];
      if (from + end === place) place = from + start;
      else for (let position = end - 1; position >= start; position--) items[--place] = items[from + position] ?? -1;
    }
    return place;
  }

  #copy(space: number): void {
    const items = new Int32Array(space + this.#items.length);
    items.set(this.#items, space);
    this.#items = items;
    this.#isOwn = true;
    this.#start += space;
    this.#from += space;
    this.#to += space;
  }
}
