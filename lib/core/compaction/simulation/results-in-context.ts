import type { ItemIndex } from "../../base/units";

/** Recorded tool results in a simulated context, and those of them that can be cleared. */
export class ResultsInContext {
  /** All results that may ever enter, in order. */
  readonly #all: Int32Array;
  readonly #isInContext: (row: ItemIndex) => boolean;
  readonly #isClearable: (row: ItemIndex) => boolean;
  /** The results in the context are the first `#length` of `#rows`; `#next` is the first of `#all` that was not checked yet. */
  #rows = new Int32Array(64);
  #length = 0;
  #next = 0;
  #hasLeft = false;
  /** No result before this index into `#all` can be cleared any more. */
  #firstClearable = 0;

  /**
   * @param isInContext true if a result that has entered was not dropped
   * @param isClearable stays false for a row once it is false, until `restored` is called
   */
  constructor(all: Int32Array, isInContext: (row: ItemIndex) => boolean, isClearable: (row: ItemIndex) => boolean) {
    this.#all = all;
    this.#isInContext = isInContext;
    this.#isClearable = isClearable;
  }

  /** Call this after results have left. */
  left(): void {
    this.#hasLeft = true;
  }

  /** Call this after results have regained their content. */
  restored(): void {
    this.#firstClearable = 0;
  }

  /**
   * Results in the context, in order; valid until the context changes.
   * @param last row that has entered
   */
  upTo(last: ItemIndex): Int32Array {
    const next = this.#next;
    while (this.#next < this.#all.length && (this.#all[this.#next] ?? 0) <= last) this.#next += 1;
    if (this.#next > next) this.#put(this.#all.subarray(next, this.#next));
    // Results that have entered may also have left meanwhile.
    if (this.#hasLeft) this.#sift();
    return this.#rows.subarray(0, this.#length);
  }

  #sift(): void {
    const rows = this.#rows;
    let length = 0;
    for (let index = 0; index < this.#length; index++) {
      const row = rows[index] ?? 0;
      if (this.#isInContext(row)) rows[length++] = row;
    }
    this.#length = length;
    this.#hasLeft = false;
  }

  #put(entered: Int32Array): void {
    const length = this.#length + entered.length;
    if (length > this.#rows.length) {
      const larger = new Int32Array(2 * length);
      larger.set(this.#rows);
      this.#rows = larger;
    }
    this.#rows.set(entered, this.#length);
    this.#length = length;
  }

  /** True if a result before a row can be cleared. */
  hasClearable(before: ItemIndex): boolean {
    const all = this.#all;
    while (this.#firstClearable < all.length && !this.#isClearable(all[this.#firstClearable] ?? 0)) {
      this.#firstClearable += 1;
    }
    return (all[this.#firstClearable] ?? before) < before;
  }

  /** Results before a row that can be cleared. */
  clearable(before: ItemIndex): readonly ItemIndex[] {
    if (!this.hasClearable(before)) return [];
    const found: ItemIndex[] = [];
    for (let index = this.#firstClearable; index < this.#all.length; index++) {
      const row = this.#all[index] ?? 0;
      if (row >= before) break;
      if (this.#isClearable(row)) found.push(row);
    }
    return found;
  }
}
