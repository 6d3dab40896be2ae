import type { Tokens } from "@/lib/core/base/units";

/** A range of positions or messages; `to` is exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Sizes of messages as running sums: the size of a range is one subtraction, and a binary search finds where a chunk ends. The same rules as
 * `chunk-sizes.ts`. Browser-safe.
 */
export class UnitSums {
  /** Tokens of the messages before each one, and of all: it has one entry more than there are messages. */
  readonly #sums: readonly Tokens[];

  readonly #counts: readonly number[] | undefined;

  /**
   * @param sums from 0 on, never decreasing
   * @param counts number of messages before each unit, if several messages make one unit
   */
  constructor(sums: readonly Tokens[], counts?: readonly number[]) {
    this.#sums = sums;
    this.#counts = counts;
  }

  /** Number of messages in a range. */
  messages({ from, to }: Range): number {
    const counts = this.#counts;
    return counts === undefined ? to - from : (counts[to] ?? 0) - (counts[from] ?? 0);
  }

  /** All messages. */
  get all(): Range {
    return { from: 0, to: this.#sums.length - 1 };
  }

  /** Tokens of a range. */
  total({ from, to }: Range): Tokens {
    return (this.#sums[to] ?? 0) - (this.#sums[from] ?? 0);
  }

  /** Ends of neighbouring chunks within a maximum; a larger message is a chunk of its own. Same rules as `endsWithin` and `maximumEnds`. */
  ends({ from, to }: Range, most: Tokens): readonly number[] {
    const ends: number[] = [];
    for (let start = from; start < to; ) {
      start = this.#endOf({ from: start, to }, most);
      ends.push(start);
    }
    return ends;
  }

  /** Two neighbouring parts with about the same tokens; one part if they cannot be divided. Same rule as `shareEnds`. */
  halves(range: Range): readonly Range[] {
    const end = this.#endOf(range, this.total(range) / 2);
    return end < range.to
      ? [
          { from: range.from, to: end },
          { from: end, to: range.to },
        ]
      : [range];
  }

  /** First of the newest messages within a budget: the older half is dropped until the rest fits. Same rule as `pruneSizes`. */
  prunedTo(budget: Tokens): number {
    let rest = this.all;
    while (this.total(rest) > budget) {
      const [, newer] = this.halves(rest);
      if (newer === undefined) break;
      rest = newer;
    }
    return rest.from;
  }

  /** End of the first chunk of a range; it has at least one message. */
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
