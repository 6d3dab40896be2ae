/** Columns that grow at their end. */

/** Up to here a column grows by doubling; beyond, in pieces of this size: a longer copy would take as much memory again. */
const PIECE_BITS = 14;
const PIECE = 1 << PIECE_BITS;
const IN_PIECE = PIECE - 1;
const FIRST = 8;

/** Of every column until its first value. */
const NO_INTEGERS = new Int32Array(0);
const NO_FLOATS = new Float64Array(0);

type ArrayOf<Values> = new (length: number) => Values;

interface Piece<Values> {
  readonly length: number;
  [index: number]: number;
  set(from: Values): void;
  slice(): Values;
}

/** A column of numbers in arrays of one kind. */
abstract class Growing<Values extends Piece<Values>> {
  readonly #arrayOf: ArrayOf<Values>;
  readonly #absent: number;
  #pieces: Values[] = [];
  #last: Values;
  #length = 0;

  /**
   * @param none an empty array of the kind
   * @param absent what stands where there is no value
   */
  constructor(arrayOf: ArrayOf<Values>, none: Values, absent: number) {
    this.#arrayOf = arrayOf;
    this.#last = none;
    this.#absent = absent;
  }

  get length(): number {
    return this.#length;
  }

  /** Makes a new column one with the same values: what is changed in one is not seen in the other. */
  protected copyInto<Same extends Growing<Values>>(copy: Same): Same {
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
    const grown = new this.#arrayOf(isPiece ? PIECE : Math.max(FIRST, this.#length * 2));
    if (isPiece) this.#pieces.push(grown);
    else {
      grown.set(this.#last);
      this.#pieces = [grown];
    }
    this.#last = grown;
  }

  /** The value at an index; 0 of integers and NaN of other numbers where there is none. */
  at(index: number): number {
    return this.#pieces[index >> PIECE_BITS]?.[index & IN_PIECE] ?? this.#absent;
  }

  set(index: number, value: number): void {
    const piece = this.#pieces[index >> PIECE_BITS];
    if (piece !== undefined) piece[index & IN_PIECE] = value;
  }
}

/** A column of integers that grows at its end. */
export class Integers extends Growing<Int32Array> {
  constructor() {
    super(Int32Array, NO_INTEGERS, 0);
  }

  /** A column with the same values. */
  copy(): Integers {
    return this.copyInto(new Integers());
  }
}

/** A column of numbers that grows at its end. */
export class Floats extends Growing<Float64Array> {
  constructor() {
    super(Float64Array, NO_FLOATS, Number.NaN);
  }

  /** A column with the same values. */
  copy(): Floats {
    return this.copyInto(new Floats());
  }
}
