/** Prefix sums of a list whose numbers change (a Fenwick tree). Adding to a number and reading a prefix sum both take logarithmic time. */
export class Fenwick {
  readonly #sums: Float64Array;

  constructor(length: number) {
    this.#sums = new Float64Array(length + 1);
  }

  add(index: number, amount: number): void {
    for (let at = index + 1; at < this.#sums.length; at += at & -at) this.#sums[at] = (this.#sums[at] ?? 0) + amount;
  }

  /** Sum of the numbers before an index. */
  before(index: number): number {
    let sum = 0;
    for (let at = Math.min(index, this.#sums.length - 1); at > 0; at -= at & -at) sum += this.#sums[at] ?? 0;
    return sum;
  }
}
