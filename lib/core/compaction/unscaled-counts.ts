import type { ItemIndex, Tokens } from "../base/units";

/** The size of every row as it enters: scaled, and as the estimator counts it. */
export interface EnteringSizes {
  readonly scaled: Int32Array;
  readonly counted: Int32Array;
  /** Sums of `counted` before every position of the trajectory, modulo 2³². */
  readonly countedBefore: Int32Array;
}

/** What the items of a scaled context come to by the estimator's own count. */
export class UnscaledCounts {
  readonly #factor: number;
  readonly #entering: EnteringSizes | undefined;

  /** @param factor by which the sizes are scaled; the size of an item that changed since it entered is divided by it */
  constructor(factor: number, entering: EnteringSizes | undefined) {
    this.#factor = factor;
    this.#entering = entering;
  }

  /** The count of a recorded item that now has `tokens` tokens; exact if that is the size with which it entered. */
  countOf(item: ItemIndex, tokens: Tokens): Tokens {
    const entering = this.#entering;
    if (entering !== undefined && tokens === entering.scaled[item]) return entering.counted[item] ?? 0;
    return this.#unscaled(tokens);
  }

  /** The count of what enters between two positions of the trajectory, which comes to `tokens` when scaled. */
  ofEntering(from: number, to: number, tokens: Tokens): Tokens {
    const before = this.#entering?.countedBefore;
    return before === undefined ? this.#unscaled(tokens) : ((before[to] ?? 0) - (before[from] ?? 0)) | 0;
  }

  #unscaled(tokens: Tokens): Tokens {
    return this.#factor > 0 ? Math.round(tokens / this.#factor) : tokens;
  }
}
