import { ITEM_CATEGORIES } from "../base/categories";
import type { RequestIndex, Tokens } from "../base/units";

/** Context at every request point, by category. The categories and `unattributed` always sum to `context`. */
export interface ContextSeries {
  readonly context: Int32Array;
  /** 1 if no usage is recorded and the context is an estimate. */
  readonly estimated: Uint8Array;
  /** Tokens by category code. */
  readonly byCategory: readonly Int32Array[];
  /** Recorded usage beyond the items of the file: re-attached files, reminders, the estimator's error. */
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

  /** Writes a point with a known total and its parts. */
  shares(point: RequestIndex, total: Tokens, parts: readonly Tokens[], unattributed: Tokens): void {
    for (let code = 0; code < parts.length; code++) {
      const column = this.#byCategory[code];
      if (column !== undefined) column[point] = parts[code] ?? 0;
    }
    this.#context[point] = total;
    this.#unattributed[point] = unattributed;
  }

  /** Marks a point's total as an estimate. */
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
