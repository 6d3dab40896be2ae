import { Integers } from "./growing";

/**
 * Numbers ids in the order in which they are first seen, without keeping their texts: a 64-bit hash stands for each id. The chance that any two of a
 * million ids collide is one in thirty million.
 */
export class IdTable {
  readonly #high = new Integers();
  readonly #low = new Integers();
  /** The hash table, with open addressing: a slot holds the index of its id + 1, or 0 if it is free. */
  #slots = new Int32Array(16);

  /** Number of ids. */
  get length(): number {
    return this.#high.length;
  }

  /** The id's number; an id that is not known yet gets the next one. */
  index(id: string): number {
    const [high, low] = hashOf(id);
    const slot = this.#slotOf(high, low);
    const known = this.#slots[slot] ?? 0;
    if (known > 0) return known - 1;
    this.#high.push(high);
    this.#low.push(low);
    this.#slots[slot] = this.length;
    if (this.length * 2 > this.#slots.length) this.#grow();
    return this.length - 1;
  }

  /** The id's number; −1 where it has none. */
  find(id: string): number {
    const [high, low] = hashOf(id);
    return (this.#slots[this.#slotOf(high, low)] ?? 0) - 1;
  }

  /** A 53-bit hash of the id with a number, the same in every table. */
  hash(index: number): number {
    return (this.#high.at(index) >>> 11) * 2 ** 32 + (this.#low.at(index) >>> 0);
  }

  #slotOf(high: number, low: number): number {
    const mask = this.#slots.length - 1;
    let slot = low & mask;
    for (let held = this.#slots[slot] ?? 0; held > 0; held = this.#slots[slot] ?? 0) {
      if (this.#low.at(held - 1) === low && this.#high.at(held - 1) === high) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    const { length } = this.#slots;
    this.#slots = new Int32Array(length * (length < SMALL ? 8 : 2));
    for (let index = 0; index < this.length; index++) {
      this.#slots[this.#slotOf(this.#high.at(index), this.#low.at(index))] = index + 1;
    }
  }
}

/** Smaller tables grow faster: numbering ids anew so often would take longer than all that they are asked. */
const SMALL = 1 << 13;

/** Two 32-bit hashes of the text, mixed with each other at the end. */
function hashOf(text: string): readonly [number, number] {
  let high = 0xdeadbeef | 0;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return [high, low];
}
