import type { RequestIndex, Tokens } from "../../base/units";
import type { LeftBehind } from "../../compaction/policies/left-behind";
import { totalOf } from "../recorded-cost";
import { Chances, OpenStretches } from "./open-stretches";
import { RequestCosts } from "./request-costs";
import type { CostBasis } from "./simulated-cost";
import type { SureRequests } from "./sure-requests";

/** Sent tokens, and the unchanged beginning of the previous point among them. Columns are by request point. */
interface Sent {
  readonly context: ArrayLike<Tokens>;
  readonly shared: ArrayLike<Tokens>;
}

/** A session without compactions, and the context that a compaction before any of its requests would leave. */
export interface Schedulable extends Sent {
  /** 0 if its context is the recorded one. */
  readonly estimated: ArrayLike<number>;
  /** The contexts by simulation alone: after a compaction, contexts grow as these do. */
  readonly simulated: Sent;
  readonly left: LeftBehind;
  readonly turnStart: ArrayLike<number>;
}

/** Requests to compact before, and the cost of the session then, in unrounded micro-dollars. */
interface Schedule {
  readonly requests: readonly RequestIndex[];
  readonly cost: number;
}

/** Longer sessions consider a compaction only before some requests. Source: docs/method.md, "The best schedule". */
const CONSIDERED_ALL = 5000;
const CONSIDERED_STEP = 10;

/** A request above the window costs more than all money: a schedule has one only if every schedule has. */
const ABOVE_WINDOW = 1e12;

/** No request: the stretch before the first compaction. */
const START = -1;

/**
 * Finds the hindsight optimum: the compactions with which a session costs least without exceeding its window. Exact for compactions that leave the
 * same as on a history without earlier compactions. `undefined` if a request has no price, if the reads of a cache are unknown, or without requests.
 * Time: requests × stretches that are open at once. A stretch is closed as soon as another one is at least as good in every case.
 * @param window maximum tokens of a request
 * @param sharesPrefix true if the summary call begins with the previously sent context
 */
export function hindsightOptimum(
  basis: CostBasis,
  session: Schedulable,
  window: Tokens,
  sharesPrefix: boolean | undefined,
): Schedule | undefined {
  const costs = RequestCosts.of(basis.cache);
  if (costs === undefined || costs.length === 0) return undefined;
  return new Search(basis, costs, session, window, sharesPrefix === true).found();
}

/** A way to send the session, by request with usage. */
export class Stretch {
  readonly context: Float64Array;
  /** Tokens of the previous point, which may have no usage. */
  readonly before: Float64Array;
  /** Tokens of the previous request that are not sent again although nothing was compacted: turns that the user took back. */
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

/** End of a stretch: the tokens of its call, and those of the previous point and the previous request with usage. */
interface End {
  readonly call: Tokens;
  readonly atPointBefore: Tokens;
  readonly before: Tokens;
}

class Search {
  readonly #length: number;
  /** By request with usage: the stretch before the first compaction, and the contexts whose growth later ones share. */
  readonly #first: Stretch;
  readonly #grown: Stretch;
  /** Context that a compaction before it leaves; -1 if none is considered. */
  readonly #left: Float64Array;
  readonly #leftShared: Float64Array;
  readonly #call: Float64Array;
  readonly #summary: Float64Array;
  readonly #calledAgain: Float64Array;
  /** Cost of a request with its recorded context; NaN for other requests. */
  readonly #recorded: Float64Array;
  /** Minimum cost of everything up to a request with a compaction before it, its call and the request included; and the previous compaction. */
  readonly #least: Float64Array;
  readonly #previous: Int32Array;
  readonly #open: OpenStretches;
  readonly #chances: Chances;

  constructor(
    private readonly basis: CostBasis,
    private readonly costs: RequestCosts,
    { simulated, left, turnStart, ...first }: Schedulable,
    private readonly window: Tokens,
    private readonly sharesPrefix: boolean,
  ) {
    const { sure, follows } = basis;
    const length = sure.length;
    this.#length = length;
    const of = (value: (point: RequestIndex, index: number) => number) =>
      Float64Array.from({ length }, (_, index) => value(sure.point(index), index));
    this.#first = new Stretch(sure, first);
    this.#grown = new Stretch(sure, simulated);
    this.#left = of((point, index) =>
      this.#isConsidered(index, turnStart[point] === 1) ? (left.tokens[point] ?? -1) : -1,
    );
    this.#leftShared = of((point) => left.shared[point] ?? 0);
    this.#call = of((point) => left.callTokens[point] ?? 0);
    this.#summary = of((point) => left.summaryTokens[point] ?? 0);
    this.#calledAgain = of((point) => left.calledAgain[point] ?? 0);
    const { context, estimated } = first;
    this.#recorded = of((point, index) => {
      const known = follows && estimated[point] === 0 ? sure.known(index, context[point] ?? 0) : undefined;
      return known === undefined ? Number.NaN : totalOf(known);
    });
    this.#least = new Float64Array(length).fill(Number.POSITIVE_INFINITY);
    this.#previous = new Int32Array(length).fill(START);
    this.#open = new OpenStretches(length);
    this.#chances = new Chances(costs, this.#leftShared);
  }

  #isConsidered(index: number, startsTurn: boolean): boolean {
    if (this.#length <= CONSIDERED_ALL || startsTurn || index % CONSIDERED_STEP === 0) return true;
    return this.costs.isCold(index);
  }

  found(): Schedule {
    let [cost, sent] = [0, 0];
    for (let index = 0; index < this.#length; index++) {
      this.#endFirst(index, cost, sent);
      this.#endOpen(index);
      [cost, sent] = this.#goOnFirst(index, cost, sent);
      this.#goOnOpen(index);
      this.#begin(index);
    }
    return this.#cheapest(cost);
  }

  /** @param cost of the session without a compaction */
  #cheapest(cost: number): Schedule {
    let [least, last] = [cost, START];
    const { count, cost: costs, from } = this.#open;
    for (let at = 0; at < count; at++)
      if ((costs[at] ?? 0) < least) [least, last] = [costs[at] ?? 0, from[at] ?? START];
    const requests: RequestIndex[] = [];
    for (let at = last; at !== START; at = this.#previous[at] ?? START) requests.push(this.basis.sure.point(at));
    return { requests: requests.reverse(), cost: least };
  }

  /**
   * A compaction before a request ends the stretch before the first compaction.
   * @param before last tokens that the stretch sent
   */
  #endFirst(index: number, cost: number, before: Tokens): void {
    const { context, before: atPointBefore } = this.#first;
    // The simulation counts a call; while the recording is followed, the call sends the recorded context.
    const call = (this.#call[index] ?? 0) + (context[index] ?? 0) - (this.#grown.context[index] ?? 0);
    this.#offer(index, START, cost, { call, atPointBefore: atPointBefore[index] ?? 0, before });
  }

  /** Extends the stretch before the first compaction, which may follow the recording, by a request: returns its cost and sent tokens. */
  #goOnFirst(index: number, cost: number, before: Tokens): readonly [number, Tokens] {
    const sent = this.#first.context[index] ?? 0;
    const recorded = this.#recorded[index] ?? Number.NaN;
    const shared = before - (this.#first.lost[index] ?? 0);
    const own = Number.isNaN(recorded) ? this.costs.request(index, sent, shared, before) : recorded;
    return [cost + own + this.#penalty(sent), sent];
  }

  /** A compaction before a request ends one of the open stretches. */
  #endOpen(index: number): void {
    if ((this.#left[index] ?? -1) < 0) return;
    const { count, from, cost, offset, callOffset, sent } = this.#open;
    const [ownCall, ownBefore] = [this.#call[index] ?? 0, this.#grown.before[index] ?? 0];
    for (let at = 0; at < count; at++) {
      const known = cost[at] ?? 0;
      // Most already cost more before anything is added.
      if (known >= (this.#least[index] ?? 0)) continue;
      const call = ownCall + (callOffset[at] ?? 0);
      const atPointBefore = Math.max(0, ownBefore + (offset[at] ?? 0));
      this.#offer(index, from[at] ?? START, known, { call, atPointBefore, before: sent[at] ?? 0 });
    }
  }

  /** Extends the open stretches by a request. Drops those that would exceed the window and stay larger than one compacted here, which does not. */
  #goOnOpen(index: number): void {
    const { window, costs } = this;
    const { cost, offset, sent } = this.#open;
    const context = this.#grown.context[index] ?? 0;
    const lost = this.#grown.lost[index] ?? 0;
    const left = this.#left[index] ?? -1;
    const isCompactedInstead = left >= 0 && left <= window;
    this.#open.keep((at) => {
      const now = Math.max(0, context + (offset[at] ?? 0));
      if (now > window && isCompactedInstead) return false;
      const before = sent[at] ?? 0;
      cost[at] = (cost[at] ?? 0) + costs.request(index, now, before - lost, before) + this.#penalty(now);
      sent[at] = now;
      return true;
    });
  }

  /**
   * Begins a stretch with the compaction before a request, unless an open one is at least as good in every case. Closes the open ones that are never
   * better.
   */
  #begin(index: number): void {
    const own = this.#least[index] ?? 0;
    if (own === Number.POSITIVE_INFINITY) return;
    const left = this.#left[index] ?? 0;
    const offset = left - (this.#grown.context[index] ?? 0);
    const callOffset = (this.#calledAgain[index] ?? 0) - (this.#call[index] ?? 0);
    const open = this.#open;
    for (let at = 0; at < open.count; at++) {
      const [less, smaller] = [own - (open.cost[at] ?? 0), offset - (open.offset[at] ?? 0)];
      if (this.#chances.isNone(index, less, smaller, callOffset - (open.callOffset[at] ?? 0))) return;
    }
    open.keep((at) => {
      const [more, larger] = [(open.cost[at] ?? 0) - own, (open.offset[at] ?? 0) - offset];
      return !this.#chances.isNone(index, more, larger, (open.callOffset[at] ?? 0) - callOffset);
    });
    open.add(index, own, offset, callOffset, left);
  }

  /**
   * A compaction before a request ends a stretch.
   * @param cost of everything before that request
   */
  #offer(index: number, from: number, cost: number, { call, atPointBefore, before }: End): void {
    const left = this.#left[index] ?? -1;
    if (left < 0) return;
    const output = this.#summary[index] ?? 0;
    const behind = this.costs.request(index, left, this.#leftShared[index] ?? 0, before);
    const all = cost + this.#callCost(index, call, output, atPointBefore) + behind + this.#penalty(left);
    if (all >= (this.#least[index] ?? 0)) return;
    this.#least[index] = all;
    this.#previous[index] = from;
  }

  #callCost(index: number, call: Tokens, output: Tokens, before: Tokens): number {
    if (call <= 0) return 0;
    return this.sharesPrefix
      ? this.costs.callSharing(index, call, output, before)
      : this.costs.callAlone(index, call, output);
  }

  #penalty(sent: Tokens): number {
    return sent > this.window ? ABOVE_WINDOW : 0;
  }
}
