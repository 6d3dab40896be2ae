import { assert } from "../base/assert";
import type { ItemIndex } from "../base/units";
import type { Positions, Retention } from "./policy";
import { countOf } from "./positions";

/** Room for added items in front of the list, when it is copied. */
const ROOM = 64;

/**
 * The items of a simulated context in their order: a stretch of one list, in which what is to come stands behind it. A compaction
 * moves what it keeps up to the end of the stretch. Entering costs nothing, a compaction as much as it keeps in front of a
 * kept end.
 */
export class ContextOrder {
  /** The trajectory's items, and once they have been rearranged a copy of them with room in front. */
  #items: Int32Array;
  #isOwn = false;
  /** Place of the trajectory's first item in the list, were it still there. */
  #start = 0;
  /** The stretch. */
  #from = 0;
  #to = 0;
  /** The stretch as a list, once somebody has asked for it. */
  #list: Int32Array | undefined;

  constructor(items: Int32Array) {
    this.#items = items;
  }

  get length(): number {
    return this.#to - this.#from;
  }

  /** How many of the trajectory's items have entered. */
  get entered(): number {
    return this.#to - this.#start;
  }

  /** The item at a position, oldest first; −1 at −1, where what has left may still stand. */
  at(position: number): ItemIndex {
    return (position < 0 ? -1 : this.#items[this.#from + position]) ?? -1;
  }

  /** All items in one array, which holds until the order changes. Not to be written. */
  list(): Int32Array {
    this.#list ??= this.#items.subarray(this.#from, this.#to);
    return this.#list;
  }

  /** Lets the trajectory's items up to a position enter. */
  enter(to: number): void {
    this.#to = this.#start + to;
    this.#list = undefined;
  }

  /**
   * Leaves what stands at some positions, with added items in front of it or behind it.
   * @param entering so many of the newest of those stand behind what is added at the back: of the last stretch that stays
   */
  rearrange(kept: Positions, added: readonly ItemIndex[], addedAt: Retention["addedAt"], entering = 0): void {
    const missing = countOf(kept) + added.length - this.#to;
    if (!this.#isOwn || missing > 0) this.#copy(ROOM + Math.max(0, 2 * missing));
    assert(entering <= this.#keptEnd(kept), "what enters after a compaction to stand at the end, without a gap");
    const keptFrom = this.#closeUp(kept);
    const behind = addedAt === "front" ? keptFrom : this.#to - entering;
    this.#from = keptFrom - added.length;
    this.#list = undefined;
    if (behind > keptFrom) this.#items.copyWithin(this.#from, keptFrom, behind);
    let place = behind - added.length;
    for (const item of added) this.#items[place++] = item;
  }

  /** How many items stay at the end as they stand. */
  #keptEnd(kept: Positions): number {
    const last = kept.at(-1);
    return last?.[1] === this.length ? this.length - last[0] : 0;
  }

  /** Moves what stands at positions up to the end of the stretch, the newest first; gives where it begins then. */
  #closeUp(kept: Positions): number {
    const [items, from] = [this.#items, this.#from];
    let place = this.#to;
    for (let index = kept.length - 1; index >= 0; index--) {
      const [start, end] = kept[index] ?? [0, 0];
      if (from + end === place) place = from + start;
      else for (let position = end - 1; position >= start; position--) items[--place] = items[from + position] ?? -1;
    }
    return place;
  }

  #copy(room: number): void {
    const items = new Int32Array(room + this.#items.length);
    items.set(this.#items, room);
    this.#items = items;
    this.#isOwn = true;
    this.#start += room;
    this.#from += room;
    this.#to += room;
  }
}
