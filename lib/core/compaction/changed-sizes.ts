import type { ItemIndex, Tokens } from "../base/units";
import type { Retention } from "./policy";

type Sizes = readonly (readonly [ItemIndex, Tokens])[];

/** Numbers in front of a compaction's sizes: how many were truncated, and how many cleared. */
const COUNTS = 2;

/** The sizes that compactions gave to items they kept, in one list of numbers: a list for each would be garbage by the thousand. */
export class ChangedSizes {
  #numbers = new Int32Array(64);
  #length = 0;

  /** Writes a compaction's sizes down; gives the place to ask for them. */
  put({ truncated, cleared }: Pick<Retention, "truncated" | "cleared">): number {
    const place = this.#length;
    this.#reserve(COUNTS + 2 * (truncated.length + cleared.length));
    this.#numbers[place] = truncated.length;
    this.#numbers[place + 1] = cleared.length;
    this.#length += COUNTS;
    this.#write(truncated);
    this.#write(cleared);
    return place;
  }

  /** The items that the compaction at a place truncated, with what was left of them, in its order. */
  truncated(place: number): Sizes {
    return this.#read(place + COUNTS, this.#numbers[place] ?? 0);
  }

  /** The same of those that it cleared. */
  cleared(place: number): Sizes {
    const before = this.#numbers[place] ?? 0;
    return this.#read(place + COUNTS + 2 * before, this.#numbers[place + 1] ?? 0);
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#numbers.length) return;
    const larger = new Int32Array(2 * needed);
    larger.set(this.#numbers);
    this.#numbers = larger;
  }

  #write(sizes: Sizes): void {
    for (const [item, tokens] of sizes) {
      this.#numbers[this.#length] = item;
      this.#numbers[this.#length + 1] = tokens;
      this.#length += 2;
    }
  }

  #read(from: number, count: number): Sizes {
    return Array.from({ length: count }, (_, index) => {
      const place = from + 2 * index;
      return [this.#numbers[place] ?? 0, this.#numbers[place + 1] ?? 0] as const;
    });
  }
}
