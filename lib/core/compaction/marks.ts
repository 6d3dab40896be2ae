import type { ItemIndex } from "../base/units";
import type { SessionColumns } from "../columns/columns";

/** A set of recorded items that costs nothing to empty: used and thrown away at every compaction. */
export class ItemMarks {
  readonly #generation: Uint32Array;
  #current = 0;

  constructor(length: number) {
    this.#generation = new Uint32Array(length);
  }

  /** Marks these items and no others. Items that a compaction added are passed over. */
  only(items: readonly ItemIndex[]): this {
    this.#current += 1;
    for (const item of items) if (item < this.#generation.length) this.#generation[item] = this.#current;
    return this;
  }

  has(item: ItemIndex): boolean {
    return this.#generation[item] === this.#current;
  }
}

const cache = new WeakMap<SessionColumns["requests"], ItemMarks>();

/** Marks of just these items. Valid until the next call for the same session. */
export function marksOf(columns: SessionColumns, items: readonly ItemIndex[]): ItemMarks {
  const known = cache.get(columns.requests) ?? new ItemMarks(columns.length);
  cache.set(columns.requests, known);
  return known.only(items);
}
