/** Typed-array columns with `push`. */

/** A column doubles up to this size, then grows by pieces of this size, because copying a longer column would need as much memory again. */
const PIECE_BITS = 14;
const PIECE = 1 << PIECE_BITS;
const IN_PIECE = PIECE - 1;
const FIRST = 8;

/** The empty array that every column shares until it gets its first value. */
const NO_INTEGERS = new Int32Array(0);
const NO_FLOATS = new Float64Array(0);

type ArrayOf<Values> = new (length: number) => Values;

interface Piece<Values> {
  readonly length: number;
  [index: number]: number;
  set(from: Values): void;
  slice(): Values;
}

/** A column of numbers, held in typed arrays of one kind. */
abstract class Growing<Values extends Piece<Values>> {
  readonly #arrayOf: ArrayOf<Values>;
  readonly #absent: number;
  #pieces: Values[] = [];
  #last: Values;
  #length = 0;

  /**
   * @param arrayOf constructor of the typed arrays
   * @param none an empty array of that type
   * @param absent returned for an index without a value
   */
  constructor(arrayOf: ArrayOf<Values>, none: Values, absent: number) {
    this.#arrayOf = arrayOf;
    this.#last = none;
    this.#absent = absent;
  }

  get length(): number {
    return this.#length;
  }

  /** Copies the values into a new, empty column. The two columns share no memory. */
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

  /** Value at an index; for a missing index 0 in integer columns and NaN in float columns. */
  at(index: number): number {
    return this.#pieces[index >> PIECE_BITS]?.[index & IN_PIECE] ?? this.#absent;
  }

  set(index: number, value: number): void {
    const piece = this.#pieces[index >> PIECE_BITS];
    if (piece !== undefined) piece[index & IN_PIECE] = value;
  }
}

/** Growing column of 32-bit integers. */
export class Integers extends Growing<Int32Array> {
  constructor() {
    super(Int32Array, NO_INTEGERS, 0);
  }

  copy(): Integers {
    return this.copyInto(new Integers());
  }
}

/** Growing column of 64-bit floats. */
export class Floats extends Growing<Float64Array> {
  constructor() {
    super(Float64Array, NO_FLOATS, Number.NaN);
  }

  copy(): Floats {
    return this.copyInto(new Floats());
  }
}
