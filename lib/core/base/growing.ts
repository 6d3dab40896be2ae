/** Columns that grow at their end. */

/** Up to here a column grows by doubling; beyond, in pieces of this size: a longer copy would take as much memory again. */
const PIECE_BITS = 14;
const PIECE = 1 << PIECE_BITS;
const IN_PIECE = PIECE - 1;
const FIRST = 8;

/** Of every column until its first value. */
const NO_INTEGERS = new Int32Array(0);
const NO_FLOATS = new Float64Array(0);

/** A column of integers that grows at its end. */
export class Integers {
  #pieces: Int32Array[] = [];
  #last: Int32Array = NO_INTEGERS;
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
    const isPiece = this.#length >= PIECE;
    const grown = new Int32Array(isPiece ? PIECE : Math.max(FIRST, this.#length * 2));
    if (isPiece) this.#pieces.push(grown);
    else {
      grown.set(this.#last);
      this.#pieces = [grown];
    }
    this.#last = grown;
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
  #pieces: Float64Array[] = [];
  #last: Float64Array = NO_FLOATS;
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
    const isPiece = this.#length >= PIECE;
    const grown = new Float64Array(isPiece ? PIECE : Math.max(FIRST, this.#length * 2));
    if (isPiece) this.#pieces.push(grown);
    else {
      grown.set(this.#last);
      this.#pieces = [grown];
    }
    this.#last = grown;
  }

  /** The value at an index; NaN where there is none. */
  at(index: number): number {
    return this.#pieces[index >> PIECE_BITS]?.[index & IN_PIECE] ?? Number.NaN;
  }
}
