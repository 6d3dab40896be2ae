/** Columns that grow at their end. */

/** Up to here a column grows by doubling; beyond, in pieces of this size: a longer copy would take as much memory again. */
const PIECE_BITS = 14;
const PIECE = 1 << PIECE_BITS;
const IN_PIECE = PIECE - 1;
const FIRST = 8;

function grownIntegers(column: Int32Array, capacity: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(capacity);
  grown.set(column);
  return grown;
}

function grownFloats(column: Float64Array, capacity: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(capacity);
  grown.set(column);
  return grown;
}

/** A column of integers that grows at its end. */
export class Integers {
  #pieces = [new Int32Array(FIRST)];
  #last = this.#pieces[0] ?? new Int32Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** A column with the same values: what is changed in one is not seen in the other. */
  copy(): Integers {
    const copy = new Integers();
    copy.#pieces = this.#pieces.map((piece) => piece.slice());
    copy.#last = copy.#pieces.at(-1) ?? copy.#last;
    copy.#length = this.#length;
    return copy;
  }

  push(value: number): void {
    const at = this.#length & IN_PIECE;
    if (at === this.#last.length || (at === 0 && this.#length > 0)) this.#grow();
    this.#last[at] = value;
    this.#length += 1;
  }

  #grow(): void {
    if (this.#length < PIECE) this.#pieces = [grownIntegers(this.#last, this.#length * 2)];
    else this.#pieces.push(new Int32Array(PIECE));
    this.#last = this.#pieces.at(-1) ?? this.#last;
  }

  /** The value at an index; 0 where there is none. */
  at(index: number): number {
    return this.#pieces[index >> PIECE_BITS]?.[index & IN_PIECE] ?? 0;
  }

  set(index: number, value: number): void {
    const piece = this.#pieces[index >> PIECE_BITS];
    if (piece !== undefined) piece[index & IN_PIECE] = value;
  }
}

/** A column of numbers that grows at its end. */
export class Floats {
  #pieces = [new Float64Array(FIRST)];
  #last = this.#pieces[0] ?? new Float64Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** A column with the same values: what is changed in one is not seen in the other. */
  copy(): Floats {
    const copy = new Floats();
    copy.#pieces = this.#pieces.map((piece) => piece.slice());
    copy.#last = copy.#pieces.at(-1) ?? copy.#last;
    copy.#length = this.#length;
    return copy;
  }

  push(value: number): void {
    const at = this.#length & IN_PIECE;
    if (at === this.#last.length || (at === 0 && this.#length > 0)) this.#grow();
    this.#last[at] = value;
    this.#length += 1;
  }

  #grow(): void {
    if (this.#length < PIECE) this.#pieces = [grownFloats(this.#last, this.#length * 2)];
    else this.#pieces.push(new Float64Array(PIECE));
    this.#last = this.#pieces.at(-1) ?? this.#last;
  }

  /** The value at an index; NaN where there is none. */
  at(index: number): number {
    return this.#pieces[index >> PIECE_BITS]?.[index & IN_PIECE] ?? Number.NaN;
  }
}
