import type { RequestIndex, Tokens } from "../base/units";
import { ITEM_CATEGORIES } from "./categories";

/** The context at every request point, by category. Categories and `unattributed` sum to `context`, always. */
export interface ContextSeries {
  readonly context: Int32Array;
  /** 1 where no usage is recorded and the context is the estimate of what was sent. */
  readonly estimated: Uint8Array;
  /** Tokens by category code. */
  readonly byCategory: readonly Int32Array[];
  /** Recorded usage that no item of the file accounts for: re-attached files, reminders, the estimator's error. */
  readonly unattributed: Int32Array;
}

/** Writes a series point by point. */
export class SeriesWriter {
  readonly #context: Int32Array;
  readonly #estimated: Uint8Array;
  readonly #unattributed: Int32Array;
  readonly #byCategory: readonly Int32Array[];

  constructor(points: number) {
    this.#context = new Int32Array(points);
    this.#estimated = new Uint8Array(points);
    this.#unattributed = new Int32Array(points);
    this.#byCategory = ITEM_CATEGORIES.map(() => new Int32Array(points));
  }

  /** A point whose total is known and shared out. */
  shares(
    point: RequestIndex,
    shares: { readonly total: Tokens; readonly parts: readonly Tokens[]; readonly unattributed: Tokens },
  ): void {
    for (let code = 0; code < shares.parts.length; code++) {
      const column = this.#byCategory[code];
      if (column !== undefined) column[point] = shares.parts[code] ?? 0;
    }
    this.#context[point] = shares.total;
    this.#unattributed[point] = shares.unattributed;
  }

  /** Says of a point that its total is an estimate. */
  markEstimated(point: RequestIndex): void {
    this.#estimated[point] = 1;
  }

  series(): ContextSeries {
    return {
      context: this.#context,
      estimated: this.#estimated,
      byCategory: this.#byCategory,
      unattributed: this.#unattributed,
    };
  }
}

/**
 * Tokens by category at every point, written down as what each point changes and summed up at the end: a point costs as much
 * as it changes, however many categories there are.
 */
export class CategoryChanges {
  readonly #points: number;
  readonly #columns: (Int32Array | undefined)[];

  constructor(points: number) {
    this.#points = points;
    this.#columns = ITEM_CATEGORIES.map(() => undefined);
  }

  /** The same changes, to be gone on with. */
  copy(): CategoryChanges {
    const copy = new CategoryChanges(this.#points);
    this.#columns.forEach((column, category) => {
      copy.#columns[category] = column?.slice();
    });
    return copy;
  }

  add(category: number, tokens: Tokens, point: RequestIndex): void {
    const column = this.#columns[category] ?? this.#begin(category);
    column[point] = (column[point] ?? 0) + tokens;
  }

  #begin(category: number): Int32Array {
    const column = new Int32Array(this.#points);
    this.#columns[category] = column;
    return column;
  }

  /** Ends the writing: every category's tokens at every point. Categories that nothing counts to share one column of zeros. */
  sums(): Int32Array[] {
    const none = new Int32Array(this.#points);
    return this.#columns.map((column) => (column === undefined ? none : summedUp(column)));
  }
}

/** Every value with those before it, in place. */
function summedUp(column: Int32Array): Int32Array {
  let sum = 0;
  for (let point = 0; point < column.length; point++) {
    sum += column[point] ?? 0;
    column[point] = sum;
  }
  return column;
}
