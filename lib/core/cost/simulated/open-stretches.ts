import type { RequestIndex, Tokens } from "../../base/units";
import type { PauseOptions } from "./pause-options";
import type { RequestCosts } from "./request-costs";
import type { SureRequests } from "./sure-requests";

/** Columns by request point: tokens sent (`context`), and those of them that repeat the beginning of the previous point unchanged (`shared`). */
export interface Sent {
  readonly context: ArrayLike<Tokens>;
  readonly shared: ArrayLike<Tokens>;
}

/** The contexts of a session by request with usage. */
export class Stretch {
  readonly context: Float64Array;
  /** Tokens of the previous point, which may have no usage. */
  readonly before: Float64Array;
  /** Tokens of the previous request that are not sent again although nothing was compacted, because the user took turns back. */
  readonly lost: Float64Array;

  constructor(sure: SureRequests, { context, shared }: Sent) {
    const of = (value: (point: RequestIndex) => number) =>
      Float64Array.from({ length: sure.length }, (_, index) => value(sure.point(index)));
    this.context = of((point) => context[point] ?? 0);
    this.before = of((point) => context[point - 1] ?? 0);
    let [next, last] = [0, 0];
    this.lost = of((point) => {
      let kept = Number.POSITIVE_INFINITY;
      for (; next <= point; next++) kept = Math.min(kept, shared[next] ?? 0);
      const lost = Math.max(0, last - kept);
      last = context[point] ?? 0;
      return lost;
    });
  }
}

/** Open stretches: each began with a compaction and has no further one so far. */
export class OpenStretches {
  count = 0;
  /** The compaction that it began with. */
  readonly from: Int32Array;
  /** Cost so far. */
  readonly cost: Float64Array;
  /** Size difference between its contexts and those without compactions, and the same for its summary calls. */
  readonly offset: Float64Array;
  readonly callOffset: Float64Array;
  /** Tokens of its last request. */
  readonly sent: Float64Array;

  constructor(most: number) {
    this.from = new Int32Array(most);
    const column = () => new Float64Array(most);
    [this.cost, this.offset, this.callOffset, this.sent] = [column(), column(), column(), column()];
  }

  add(from: number, cost: number, offset: Tokens, callOffset: Tokens, sent: Tokens): void {
    this.#put(this.count, from, cost, offset, callOffset, sent);
    this.count += 1;
  }

  /** Closes all stretches that fail the test. */
  keep(isKept: (at: number) => boolean): void {
    let kept = 0;
    for (let at = 0; at < this.count; at++) {
      if (!isKept(at)) continue;
      const { from, cost, offset, callOffset, sent } = this;
      if (kept < at) this.#put(kept, from[at] ?? 0, cost[at] ?? 0, offset[at] ?? 0, callOffset[at] ?? 0, sent[at] ?? 0);
      kept += 1;
    }
    this.count = kept;
  }

  #put(at: number, from: number, cost: number, offset: Tokens, callOffset: Tokens, sent: Tokens): void {
    this.from[at] = from;
    this.cost[at] = cost;
    this.offset[at] = offset;
    this.callOffset[at] = callOffset;
    this.sent[at] = sent;
  }
}

/** Advantages that a stretch with larger contexts could still gain: for every request, the maximum after it. */
export class PossibleGains {
  readonly #clear: Float64Array;
  readonly #spread: Float64Array;
  readonly #rounding: Float64Array;
  readonly #shared: Float64Array;

  /**
   * @param leftShared unchanged beginning of the context that a compaction leaves, by request
   * @param pauses ways to act in the pause before each request
   */
  constructor(
    costs: RequestCosts,
    leftShared: (index: number) => Tokens,
    pauses: readonly (PauseOptions | undefined)[],
  ) {
    const column = () => new Float64Array(costs.length);
    [this.#clear, this.#spread, this.#rounding, this.#shared] = [column(), column(), column(), column()];
    let [clear, spread, rounding, shared] = [0, 0, 0, 0];
    for (let index = costs.length - 1; index >= 0; index--) {
      this.#clear[index] = clear;
      this.#spread[index] = spread;
      this.#rounding[index] = rounding;
      this.#shared[index] = shared;
      // A call during a pause has the prices of the request before it.
      const options = pauses[index];
      for (const at of options === undefined ? [index] : [index, index - 1]) {
        const own = costs.comparison(at);
        clear = Math.max(clear, own.clear);
        spread = Math.max(spread, own.spread);
        rounding = Math.max(rounding, own.rounding);
      }
      for (const { callRule, rule } of options?.compactions ?? [])
        for (const one of [callRule, rule])
          if (one.step > 1 || one.share.whole > 1) rounding = Math.max(rounding, one.step);
      shared = Math.max(shared, leftShared(index));
    }
  }

  /**
   * True if a stretch is never better than another one after a request. Its requests cost no less with larger contexts, or the same. At the end
   * of both, it may find more in the cache, once for the call and once for the context that the compaction leaves.
   * @param cost additional cost so far
   * @param offset size difference of its contexts
   * @param callOffset size difference of its calls
   */
  isNeverBetter(index: number, cost: number, offset: Tokens, callOffset: Tokens): boolean {
    if (cost < 0 || callOffset < 0 || offset < 0) return false;
    if (offset > 0 && offset < (this.#clear[index] ?? 0)) return false;
    const inCall = Math.max(0, offset - callOffset);
    const inLeft = Math.min(offset, this.#shared[index] ?? 0);
    return cost >= (inCall + inLeft + 2 * (this.#rounding[index] ?? 0)) * (this.#spread[index] ?? 0);
  }
}
