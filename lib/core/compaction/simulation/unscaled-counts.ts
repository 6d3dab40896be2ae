import type { ItemIndex, RequestIndex, Tokens } from "../../base/units";
import type { Trajectory } from "./trajectory";

/** The size of every row as it enters: scaled, and as the estimator counts it. */
interface EnteringSizes {
  readonly scaled: Int32Array;
  readonly counted: Int32Array;
  /** Sums of `counted` before every position of the trajectory, modulo 2³². */
  readonly countedBefore: Int32Array;
}

/** What the items of a scaled context come to by the estimator's own count. */
export class UnscaledCounts {
  readonly #factor: number;
  readonly #trajectory: Trajectory;
  readonly #entering: EnteringSizes | undefined;

  /** @param factor by which the sizes are scaled; the size of an item that changed since it entered is divided by it */
  constructor(factor: number, trajectory: Trajectory, entering: EnteringSizes | undefined) {
    this.#factor = factor;
    this.#trajectory = trajectory;
    this.#entering = entering;
  }

  /** The count of a recorded item that now has `tokens` tokens; exact if that is the size with which it entered. */
  countOf(item: ItemIndex, tokens: Tokens): Tokens {
    const entering = this.#entering;
    if (entering !== undefined && tokens === entering.scaled[item]) return entering.counted[item] ?? 0;
    return this.#unscaled(tokens);
  }

  /** The count of what a request sends after the last response, which comes to `tokens` when scaled. */
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
