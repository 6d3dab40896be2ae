/** Sums over the beginning of a list whose numbers change: setting one and summing a beginning both take the logarithm of its length. */
export class Fenwick {
  readonly #sums: Float64Array;

  constructor(length: number) {
    this.#sums = new Float64Array(length + 1);
  }

  /** Adds to the number at an index. */
  add(index: number, amount: number): void {
    for (let at = index + 1; at < this.#sums.length; at += at & -at) this.#sums[at] = (this.#sums[at] ?? 0) + amount;
  }

  /** The sum of the numbers before an index. */
  before(index: number): number {
    let sum = 0;
    for (let at = Math.min(index, this.#sums.length - 1); at > 0; at -= at & -at) sum += this.#sums[at] ?? 0;
    return sum;
  }
}
