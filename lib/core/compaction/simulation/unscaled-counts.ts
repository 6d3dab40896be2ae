import type { ItemIndex, RequestIndex, Tokens } from "../../base/units";
import type { SessionColumns } from "../../columns/columns";
import { entriesOf } from "./entries";
import type { Trajectory } from "./trajectory";

/** Size of every row as it enters: scaled, and as the estimator counts it. */
interface EnteringSizes {
  readonly scaled: Int32Array;
  readonly counted: Int32Array;
  /** Sums of `counted` before every position of the trajectory, modulo 2³². */
  readonly countedBefore: Int32Array;
}

/** Counts of a scaled context's items by the estimator itself. */
export class UnscaledCounts {
  readonly #factor: number;
  readonly #trajectory: Trajectory;
  readonly #entering: EnteringSizes | undefined;

  /** @param factor of the scaling; the size of an item that changed since it entered is divided by it */
  constructor(factor: number, trajectory: Trajectory, entering: EnteringSizes | undefined) {
    this.#factor = factor;
    this.#trajectory = trajectory;
    this.#entering = entering;
  }

  /**
   * Counts of a context with these sizes.
   * @param scaled size of every row as it enters
   * @param counted the same by the estimator, not scaled; absent if unknown
   */
  static of(
    columns: SessionColumns,
    factor: number,
    trajectory: Trajectory,
    scaled: Int32Array,
    counted: Int32Array | undefined,
  ): UnscaledCounts {
    if (counted === undefined) return new UnscaledCounts(factor, trajectory, undefined);
    const { before } = entriesOf(columns, trajectory, counted);
    return new UnscaledCounts(factor, trajectory, { scaled, counted, countedBefore: before });
  }

  /** Count of a recorded item whose current size is `tokens`; exact if the item entered with that size. */
  countOf(item: ItemIndex, tokens: Tokens): Tokens {
    const entering = this.#entering;
    if (entering !== undefined && tokens === entering.scaled[item]) return entering.counted[item] ?? 0;
    return this.#unscaled(tokens);
  }

  /** Count of the items that a request sends after the last response, whose scaled size is `tokens`. */
  ofAdded(request: RequestIndex, tokens: Tokens): Tokens {
    const { end, responseEnd } = this.#trajectory;
    const before = this.#entering?.countedBefore;
    if (before === undefined) return this.#unscaled(tokens);
    return ((before[end[request] ?? 0] ?? 0) - (before[responseEnd[request - 1] ?? 0] ?? 0)) | 0;
  }

  #unscaled(tokens: Tokens): Tokens {
    return this.#factor > 0 ? Math.round(tokens / this.#factor) : tokens;
  }
}
