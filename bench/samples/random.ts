/** Numbers that look random and are the same in every run: the samples are committed and compared. Mulberry32. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to 1, 1 left out. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  pick<T>(from: readonly T[]): T {
    const chosen = from[this.int(0, from.length - 1)];
    if (chosen === undefined) throw new RangeError("nothing to pick from");
    return chosen;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** So many characters of an alphabet. */
  chars(length: number, alphabet: string): string {
    let text = "";
    for (let i = 0; i < length; i++) text += alphabet[this.int(0, alphabet.length - 1)] ?? "";
    return text;
  }

  hex(length: number): string {
    return this.chars(length, "0123456789abcdef");
  }

  /** An id's tail as the providers write it. */
  token(length: number): string {
    return this.chars(length, "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz123456789");
  }

  base64(length: number): string {
    return this.chars(length, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
  }

  uuid(): string {
    return [this.hex(8), this.hex(4), `4${this.hex(3)}`, `a${this.hex(3)}`, this.hex(12)].join("-");
  }
}
