import type { Tokens } from "../../base/units";
import type { RequestCosts } from "./request-costs";

/** Open stretches: each began with a compaction and has no further one so far. */
export class OpenStretches {
  count = 0;
  /** Request before which it was compacted. */
  readonly from: Int32Array;
  /** Cost so far. */
  readonly cost: Float64Array;
  /** Size difference of its contexts to those without compactions, and of its calls to such a context's. */
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
export class Chances {
  readonly #clear: Float64Array;
  readonly #spread: Float64Array;
  readonly #rounding: Float64Array;
  readonly #shared: Float64Array;

  constructor(costs: RequestCosts, leftShared: Float64Array) {
    const column = () => new Float64Array(costs.length);
    [this.#clear, this.#spread, this.#rounding, this.#shared] = [column(), column(), column(), column()];
    let [clear, spread, rounding, shared] = [0, 0, 0, 0];
    for (let index = costs.length - 1; index >= 0; index--) {
      this.#clear[index] = clear;
      this.#spread[index] = spread;
      this.#rounding[index] = rounding;
      this.#shared[index] = shared;
      const own = costs.comparison(index);
      clear = Math.max(clear, own.clear);
      spread = Math.max(spread, own.spread);
      rounding = Math.max(rounding, own.rounding);
      shared = Math.max(shared, leftShared[index] ?? 0);
    }
  }

  /**
   * Checks that a stretch is never better than another one after a request. Its requests cost no less with larger contexts, or the same. At the end
   * of both, it may find more in the cache, once for the call and once for the context that the compaction leaves.
   * @param cost additional cost so far
   * @param offset size difference of its contexts
   * @param callOffset size difference of its calls
   */
  isNone(index: number, cost: number, offset: Tokens, callOffset: Tokens): boolean {
    if (cost < 0 || callOffset < 0 || offset < 0) return false;
    if (offset > 0 && offset < (this.#clear[index] ?? 0)) return false;
    const inCall = Math.max(0, offset - callOffset);
    const inLeft = Math.min(offset, this.#shared[index] ?? 0);
    return cost >= (inCall + inLeft + 2 * (this.#rounding[index] ?? 0)) * (this.#spread[index] ?? 0);
  }
}
