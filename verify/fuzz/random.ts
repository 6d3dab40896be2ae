/** Pseudo-random numbers, which are the same in every run with the same seed. Mulberry32. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number between two ends, both included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.#next() * (to - from + 1));
  }

  pick<T>(from: readonly T[]): T {
    const chosen = from[this.int(0, from.length - 1)];
    if (chosen === undefined) throw new RangeError("nothing to pick from");
    return chosen;
  }

  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  /** A number from 0 up to, but not including, 1. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
