/** How many columns of each kind there is room for. */
export interface ColumnKinds {
  readonly floats?: number;
  readonly integers?: number;
  readonly bytes?: number;
}

/**
 * Columns of one length, made of zeros in one piece of memory: pieces of their own take longer to come by than a short session's
 * content to be read. To be asked for in the order of their sizes: floats, integers, bytes. More than there is room for throws.
 */
export class ColumnRoom {
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

  /** Offset of the next column, of values of so many bytes. */
  #take(size: number): number {
    const at = this.#at;
    this.#at += this.#rows * size;
    return at;
  }
}
