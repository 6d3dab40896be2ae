import type { ItemIndex, Tokens } from "../../base/units";
import type { Retention } from "../policy/policy";

type Sizes = readonly (readonly [ItemIndex, Tokens])[];

/** Numbers before a compaction's sizes: the count of truncated items and the count of cleared ones. */
const COUNTS = 2;

/**
 * Sizes that compactions gave to kept items, in one list of numbers: one list per compaction would leave thousands of small objects to the garbage
 * collector.
 */
export class ChangedSizes {
  #numbers = new Int32Array(64);
  #length = 0;

  /** Appends a compaction's sizes and returns their index. */
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

  /** Items that the compaction at an index truncated, each with its remaining tokens, in the compaction's order. */
  truncated(place: number): Sizes {
    return this.#read(place + COUNTS, this.#numbers[place] ?? 0);
  }

  /** Items that the compaction at an index cleared, each with its remaining tokens. */
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
