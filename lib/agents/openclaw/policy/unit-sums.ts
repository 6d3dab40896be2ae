import type { Tokens } from "@/lib/core/base/units";

/** A stretch of positions, or of messages, `to` not among them. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Sizes of messages as running sums: what a stretch of them comes to is one subtraction, and where a chunk ends is looked up
 * rather than counted. The same rules as `chunk-sizes.ts`. Browser-safe.
 */
export class UnitSums {
  /** Tokens of the messages before each, and of all: one entry more than messages. */
  readonly #sums: readonly Tokens[];

  readonly #counts: readonly number[] | undefined;

  /**
   * @param sums from 0 on, none below the one before it
   * @param counts how many messages stand before each, where several stand for one here
   */
  constructor(sums: readonly Tokens[], counts?: readonly number[]) {
    this.#sums = sums;
    this.#counts = counts;
  }

  /** Messages of a stretch. */
  messages({ from, to }: Range): number {
    const counts = this.#counts;
    return counts === undefined ? to - from : (counts[to] ?? 0) - (counts[from] ?? 0);
  }

  /** All messages. */
  get all(): Range {
    return { from: 0, to: this.#sums.length - 1 };
  }

  /** Tokens of a stretch. */
  total({ from, to }: Range): Tokens {
    return (this.#sums[to] ?? 0) - (this.#sums[from] ?? 0);
  }

  /** Ends of neighbouring chunks within a maximum; a message above it stands alone. `endsWithin`, `maximumEnds`. */
  ends({ from, to }: Range, most: Tokens): readonly number[] {
    const ends: number[] = [];
    for (let start = from; start < to; ) {
      start = this.#endOf({ from: start, to }, most);
      ends.push(start);
    }
    return ends;
  }

  /** Two neighbouring parts of about the same tokens; one where they cannot be parted. `shareEnds`. */
  halves(range: Range): readonly Range[] {
    const end = this.#endOf(range, this.total(range) / 2);
    return end < range.to
      ? [
          { from: range.from, to: end },
          { from: end, to: range.to },
        ]
      : [range];
  }

  /** First message of the newest that are within a budget: the older half is dropped until the rest fits. `pruneSizes`. */
  prunedTo(budget: Tokens): number {
    let left = this.all;
    while (this.total(left) > budget) {
      const [, newer] = this.halves(left);
      if (newer === undefined) break;
      left = newer;
    }
    return left.from;
  }

  /** Where the first chunk of a stretch ends: it has a message at least. */
  #endOf({ from, to }: Range, most: Tokens): number {
    const limit = (this.#sums[from] ?? 0) + most;
    let low = from + 1;
    let high = to;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#sums[middle] ?? 0) > limit) high = middle - 1;
      else low = middle;
    }
    return low;
  }
}
