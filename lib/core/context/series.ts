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

/** Writes a series point by point. Only categories that were ever above zero are touched. */
export class SeriesWriter {
  readonly #context: Int32Array;
  readonly #estimated: Uint8Array;
  readonly #unattributed: Int32Array;
  readonly #byCategory: readonly Int32Array[];
  readonly #active: number[] = [];
  readonly #isActive = new Uint8Array(ITEM_CATEGORIES.length);

  constructor(points: number) {
    this.#context = new Int32Array(points);
    this.#estimated = new Uint8Array(points);
    this.#unattributed = new Int32Array(points);
    this.#byCategory = ITEM_CATEGORIES.map(() => new Int32Array(points));
  }

  contextAt(point: RequestIndex): Tokens {
    return this.#context[point] ?? 0;
  }

  /** A point that is an estimate: the categories as they are, which sum to the total. */
  estimate(point: RequestIndex, byCategory: ArrayLike<Tokens>, total: Tokens): void {
    this.#categories(point, byCategory);
    this.#context[point] = total;
    this.#estimated[point] = 1;
  }

  /** A point whose total is known and shared out. */
  shares(
    point: RequestIndex,
    shares: { readonly total: Tokens; readonly parts: readonly Tokens[]; readonly unattributed: Tokens },
  ): void {
    this.#categories(point, shares.parts);
    this.#context[point] = shares.total;
    this.#unattributed[point] = shares.unattributed;
  }

  /** Says of a point that its total is an estimate. */
  markEstimated(point: RequestIndex): void {
    this.#estimated[point] = 1;
  }

  /** A point as another series has it. */
  copy(point: RequestIndex, from: ContextSeries): void {
    for (let code = 0; code < this.#byCategory.length; code++) {
      const column = this.#byCategory[code];
      if (column !== undefined) column[point] = from.byCategory[code]?.[point] ?? 0;
    }
    this.#context[point] = from.context[point] ?? 0;
    this.#estimated[point] = from.estimated[point] ?? 0;
    this.#unattributed[point] = from.unattributed[point] ?? 0;
  }

  series(): ContextSeries {
    return {
      context: this.#context,
      estimated: this.#estimated,
      byCategory: this.#byCategory,
      unattributed: this.#unattributed,
    };
  }

  #categories(point: RequestIndex, tokens: ArrayLike<Tokens>): void {
    for (let code = 0; code < tokens.length; code++) {
      if (tokens[code] !== 0 && this.#isActive[code] === 0) {
        this.#isActive[code] = 1;
        this.#active.push(code);
      }
    }
    for (const code of this.#active) {
      const column = this.#byCategory[code];
      if (column !== undefined) column[point] = tokens[code] ?? 0;
    }
  }
}
