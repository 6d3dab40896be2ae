import { Integers } from "./growing";

/**
 * Numbers ids in order of first appearance. It stores a 64-bit hash per id instead of the text. The chance that any two of a million ids collide is
 * one in thirty million.
 */
export class IdTable {
  readonly #high = new Integers();
  readonly #low = new Integers();
  /** Hash table with open addressing: a slot holds the index of an id + 1, or 0 if it is free. */
  #slots = new Int32Array(16);

  get length(): number {
    return this.#high.length;
  }

  /** Returns the number of an id. An unknown id gets the next number. */
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

  /** Returns the number of an id, or −1 if the id is unknown. */
  find(id: string): number {
    const [high, low] = hashOf(id);
    return (this.#slots[this.#slotOf(high, low)] ?? 0) - 1;
  }

  /** Returns a 53-bit hash of a numbered id. The hash is the same in every table. */
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

/** Smaller tables grow faster, since frequent rehashing would cost more than all lookups. */
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
