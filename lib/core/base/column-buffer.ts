/** Number of columns of each kind that the buffer holds. */
interface ColumnKinds {
  readonly floats?: number;
  readonly integers?: number;
  readonly bytes?: number;
}

/**
 * Zero-filled columns of one length in one shared buffer. Separate allocations would take longer than reading a short session. Take the columns in
 * the order of their value sizes: floats, integers, bytes. Taking more columns than were announced throws.
 */
export class ColumnBuffer {
  readonly #rows: number;
  readonly #memory: ArrayBuffer;
  #at = 0;

  constructor(rows: number, { floats = 0, integers = 0, bytes = 0 }: ColumnKinds) {
    this.#rows = rows;
    this.#memory = new ArrayBuffer(rows * (floats * 8 + integers * 4 + bytes));
  }

  floats(): Float64Array<ArrayBuffer> {
    return new Float64Array(this.#memory, this.#take(8), this.#rows);
  }

  integers(): Int32Array<ArrayBuffer> {
    return new Int32Array(this.#memory, this.#take(4), this.#rows);
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#memory, this.#take(1), this.#rows);
  }

  /** Byte offset of the next column, whose values have `size` bytes each. */
  #take(size: number): number {
    const at = this.#at;
    this.#at += this.#rows * size;
    return at;
  }
}
