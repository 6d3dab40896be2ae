import type { RequestIndex, Tokens } from "../../base/units";
import type { LeftBehind } from "../../compaction/policies/left-behind";
import { totalOf } from "../recorded-cost";
import { OpenStretches, PossibleGains, type Sent, Stretch } from "./open-stretches";
import { type InPause, mostRefreshes, type PauseOptions, pauseOptions } from "./pause-options";
import { RequestCosts } from "./request-costs";
import type { CostBasis } from "./simulated-cost";

/** A session without compactions, and the context that a compaction before any of its requests would leave. */
export interface Schedulable extends Sent {
  /** 0 if its context is the recorded one. */
  readonly estimated: ArrayLike<number>;
  /** The contexts of a pure simulation: after a compaction, contexts grow like these. */
  readonly simulated: Sent;
  readonly left: LeftBehind;
  readonly turnStart: ArrayLike<number>;
  /** By request point, the minutes of the pause before it, 0 for none; and the contexts that compactions during pauses would leave. */
  readonly pauses?: { readonly minutes: ArrayLike<number>; readonly left: LeftBehind } | undefined;
}

/** Actions in pauses, each by the request that ends its pause. */
export interface ScheduledPauses {
  /** Minutes after which it compacts: such a compaction is made during the pause, not right before the request. */
  readonly compactAfter: ReadonlyMap<RequestIndex, number>;
  /** Minutes during which the cache is kept alive. */
  readonly keepAlive: ReadonlyMap<RequestIndex, number>;
}

/** Requests to compact before, or in the pause before, and the session's cost with these compactions, in unrounded micro-dollars. */
interface Schedule extends ScheduledPauses {
  readonly requests: readonly RequestIndex[];
  readonly cost: number;
}

/** Longer sessions consider a compaction only before some requests. Source: docs/method.md, "The hindsight optimum". */
const CONSIDERED_ALL = 5000;
const CONSIDERED_STEP = 10;

/** Penalty for a request above the window, above every possible cost: a schedule has such a request only if every schedule has one. */
const ABOVE_WINDOW = 1e12;

/** No compaction: the stretch before the first one. */
const START = -1;

const MINUTE_MS = 60_000;

/**
 * Finds the hindsight optimum: the compactions and keep-alive requests with which a session costs least without
 * exceeding its window. Exact if each compaction leaves the same context as it would without earlier ones. `undefined`
 * if a request has no price, if the reads of a cache are unknown, or without requests. Time: requests × stretches that
 * are open at once. A stretch is closed as soon as another one is at least as good in every case.
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

/** End of a stretch: tokens of its call, of the previous point, and of the previous request with usage. */
interface End {
  readonly call: Tokens;
  readonly atPointBefore: Tokens;
  readonly before: Tokens;
}

/** Value of `#option` for a compaction without an action in the pause before it. */
const NO_OPTION = -1;
/** Value of `#option` for a compaction right before a request, with the cache kept alive until then. */
const KEPT_ALIVE = 0;

/**
 * Dynamic programming over the requests: a stretch is the part of a session from one compaction to the next, and `#least` is the minimum cost up to
 * each possible compaction.
 */
class Search {
  readonly #length: number;
  /** By request with usage: the contexts before the first compaction, and the simulated contexts, as which all later stretches grow. */
  readonly #first: Stretch;
  readonly #grown: Stretch;
  /** By request, the ways to act in the pause before it. */
  readonly #pauses: readonly (PauseOptions | undefined)[];
  /**
   * Context that each compaction leaves; -1 if it is not considered. First the compactions right before every request, then those in the pause before
   * every request.
   */
  readonly #left: Float64Array;
  readonly #leftShared: Float64Array;
  readonly #call: Float64Array;
  readonly #summary: Float64Array;
  readonly #calledAgain: Float64Array;
  /** Cost of a request with its recorded context; NaN for other requests. */
  readonly #recorded: Float64Array;
  /**
   * For each compaction: the minimum cost of everything up to the request after it, including its call and that request; the previous compaction; and
   * the way to act in the pause before it.
   */
  readonly #least: Float64Array;
  readonly #previous: Int32Array;
  readonly #option: Int16Array;
  readonly #open: OpenStretches;
  readonly #chances: PossibleGains;

  constructor(
    private readonly basis: CostBasis,
    private readonly costs: RequestCosts,
    { simulated, left, turnStart, pauses, ...first }: Schedulable,
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
    // The reads in a pause are known only between two requests with usage.
    this.#pauses = Array.from({ length }, (_, index) => {
      const point = sure.point(index);
      const isPause = (pauses?.minutes[point] ?? 0) > 0 && index > 0 && sure.point(index - 1) === point - 1;
      return isPause ? pauseOptions(basis.cache, index, sharesPrefix) : undefined;
    });
    const both = (value: (one: LeftBehind, point: RequestIndex, index: number) => number, none: number) => {
      const column = new Float64Array(2 * length).fill(none);
      column.set(of((point, index) => value(left, point, index)));
      if (pauses === undefined) return column;
      column.set(
        of((point, index) => (this.#pauses[index] === undefined ? none : value(pauses.left, point, index))),
        length,
      );
      return column;
    };
    this.#left = both(
      ({ tokens }, point, index) => (this.#isConsidered(index, turnStart[point] === 1) ? (tokens[point] ?? -1) : -1),
      -1,
    );
    this.#leftShared = both(({ shared }, point) => shared[point] ?? 0, 0);
    this.#call = both(({ callTokens }, point) => callTokens[point] ?? 0, 0);
    this.#summary = both(({ summaryTokens }, point) => summaryTokens[point] ?? 0, 0);
    this.#calledAgain = both(({ calledAgain }, point) => calledAgain[point] ?? 0, 0);
    const { context, estimated } = first;
    this.#recorded = of((point, index) => {
      const known = follows && estimated[point] === 0 ? sure.known(index, context[point] ?? 0) : undefined;
      return known === undefined ? Number.NaN : totalOf(known);
    });
    this.#least = new Float64Array(2 * length).fill(Number.POSITIVE_INFINITY);
    this.#previous = new Int32Array(2 * length).fill(START);
    this.#option = new Int16Array(2 * length).fill(NO_OPTION);
    this.#open = new OpenStretches(2 * length);
    const shared = (index: number) => Math.max(this.#leftShared[index] ?? 0, this.#leftShared[length + index] ?? 0);
    this.#chances = new PossibleGains(costs, shared, this.#pauses);
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
      [cost, sent] = this.#extendFirst(index, cost, sent);
      this.#extendOpen(index);
      this.#begin(index, index);
      this.#begin(index, this.#length + index);
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
    const [compactAfter, keepAlive] = [new Map<RequestIndex, number>(), new Map<RequestIndex, number>()];
    let end = this.#length;
    for (let at = last; ; at = this.#previous[at] ?? START) {
      this.#keepAliveAfter(at, end, keepAlive);
      if (at === START) break;
      end = at % this.#length;
      const point = this.basis.sure.point(end);
      requests.push(point);
      const { keepAlive: whole, compactions } = this.#pauses[end] ?? {};
      const option = this.#option[at] ?? NO_OPTION;
      const inPause = at < this.#length ? undefined : compactions?.[option];
      const kept = inPause ?? (option === KEPT_ALIVE ? whole : undefined);
      if (inPause !== undefined) compactAfter.set(point, inPause.at / MINUTE_MS);
      if (kept !== undefined && kept.refreshes > 0) keepAlive.set(point, kept.keptAlive / MINUTE_MS);
    }
    return { requests: requests.reverse(), compactAfter, keepAlive, cost: least };
  }

  /** Adds the pauses of a stretch in which keeping the cache alive saves money. */
  #keepAliveAfter(from: number, end: number, keepAlive: Map<RequestIndex, number>): void {
    const { context, lost } = from === START ? this.#first : this.#grown;
    const start = from % this.#length;
    const offset = from === START ? 0 : (this.#left[from] ?? 0) - (context[start] ?? 0);
    for (let index = Math.max(0, start) + 1; index < end; index++) {
      const kept = this.#pauses[index]?.keepAlive;
      if (kept === undefined) continue;
      const [sent, before] = [context[index] ?? 0, context[index - 1] ?? 0].map((tokens) =>
        Math.max(0, tokens + offset),
      );
      if (sent === undefined || before === undefined) continue;
      const shared = before - (lost[index] ?? 0);
      const recorded = from === START ? (this.#recorded[index] ?? Number.NaN) : Number.NaN;
      const own = Number.isNaN(recorded) ? this.costs.request(index, sent, shared, before) : recorded;
      if (this.#afterPause(index, own, sent, shared, before) < own)
        keepAlive.set(this.basis.sure.point(index), kept.keptAlive / MINUTE_MS);
    }
  }

  /** Cost of a request without a compaction before it; the cache is kept alive in the pause before it if that is cheaper. */
  #afterPause(index: number, own: number, sent: Tokens, shared: Tokens, before: Tokens): number {
    const kept = this.#pauses[index]?.keepAlive;
    const refreshes = kept === undefined ? Number.NaN : this.#refreshes(index, kept.refreshes, before);
    if (kept === undefined || Number.isNaN(refreshes)) return own;
    return Math.min(own, refreshes + this.costs.requestBy(kept.rule, index, sent, shared, before));
  }

  /** Cost of keep-alive requests in the pause before a request; NaN for more than are ever sent. */
  #refreshes(index: number, count: number, before: Tokens): number {
    if (count === 0) return 0;
    const isMore = count > mostRefreshes(this.basis.cache, index - 1, before);
    return isMore ? Number.NaN : count * this.costs.refresh(index - 1, before);
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
    const grown = (atPointBefore[index] ?? 0) - (this.#grown.before[index] ?? 0);
    this.#offerInPause(index, START, cost, { call: (this.#call[this.#length + index] ?? 0) + grown, before });
  }

  /** Extends the stretch before the first compaction, which may follow the recording, by a request: returns its cost and sent tokens. */
  #extendFirst(index: number, cost: number, before: Tokens): readonly [number, Tokens] {
    const sent = this.#first.context[index] ?? 0;
    const recorded = this.#recorded[index] ?? Number.NaN;
    const shared = before - (this.#first.lost[index] ?? 0);
    const own = Number.isNaN(recorded) ? this.costs.request(index, sent, shared, before) : recorded;
    return [cost + this.#afterPause(index, own, sent, shared, before) + this.#penalty(sent), sent];
  }

  /** A compaction before a request ends one of the open stretches. */
  #endOpen(index: number): void {
    const inPause = this.#length + index;
    if ((this.#left[index] ?? -1) < 0 && (this.#left[inPause] ?? -1) < 0) return;
    const { count, from, cost, offset, callOffset, sent } = this.#open;
    const [ownCall, ownBefore] = [this.#call[index] ?? 0, this.#grown.before[index] ?? 0];
    const pauseCall = this.#call[inPause] ?? 0;
    for (let at = 0; at < count; at++) {
      const known = cost[at] ?? 0;
      const before = sent[at] ?? 0;
      if ((this.#left[inPause] ?? -1) >= 0 && known < (this.#least[inPause] ?? 0))
        this.#offerInPause(index, from[at] ?? START, known, { call: pauseCall + (callOffset[at] ?? 0), before });
      // Most stretches already cost more than the best way to this compaction.
      if (known >= (this.#least[index] ?? 0)) continue;
      const call = ownCall + (callOffset[at] ?? 0);
      const atPointBefore = Math.max(0, ownBefore + (offset[at] ?? 0));
      this.#offer(index, from[at] ?? START, known, { call, atPointBefore, before });
    }
  }

  /** Extends the open stretches by a request. Drops a stretch that would exceed the window if a compaction before this request would not. */
  #extendOpen(index: number): void {
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
      const own = costs.request(index, now, before - lost, before);
      cost[at] = (cost[at] ?? 0) + this.#afterPause(index, own, now, before - lost, before) + this.#penalty(now);
      sent[at] = now;
      return true;
    });
  }

  /**
   * Begins a stretch with a compaction before a request, unless an open one is at least as good in every case. Closes the open ones that are never
   * better.
   * @param compaction right before the request, or in the pause before it
   */
  #begin(index: number, compaction: number): void {
    const own = this.#least[compaction] ?? 0;
    if (own === Number.POSITIVE_INFINITY) return;
    const left = this.#left[compaction] ?? 0;
    const offset = left - (this.#grown.context[index] ?? 0);
    const callOffset = (this.#calledAgain[compaction] ?? 0) - (this.#call[compaction] ?? 0);
    const open = this.#open;
    for (let at = 0; at < open.count; at++) {
      const [less, smaller] = [own - (open.cost[at] ?? 0), offset - (open.offset[at] ?? 0)];
      if (this.#chances.isNeverBetter(index, less, smaller, callOffset - (open.callOffset[at] ?? 0))) return;
    }
    open.keep((at) => {
      const [more, larger] = [(open.cost[at] ?? 0) - own, (open.offset[at] ?? 0) - offset];
      return !this.#chances.isNeverBetter(index, more, larger, (open.callOffset[at] ?? 0) - callOffset);
    });
    open.add(compaction, own, offset, callOffset, left);
  }

  /**
   * A compaction before a request ends a stretch.
   * @param cost of everything before that request
   */
  #offer(index: number, from: number, cost: number, { call, atPointBefore, before }: End): void {
    const left = this.#left[index] ?? -1;
    if (left < 0) return;
    const [output, shared] = [this.#summary[index] ?? 0, this.#leftShared[index] ?? 0];
    const behind = this.costs.request(index, left, shared, before);
    const all = cost + this.#penalty(left);
    this.#take(index, from, all + this.#callCost(index, call, output, atPointBefore) + behind, NO_OPTION);
    const kept = this.#pauses[index]?.keepAlive;
    if (kept === undefined) return;
    const { rule, refreshes } = kept;
    const warm = this.costs.requestBy(rule, index, left, shared, before);
    const sharing = () => this.costs.callSharingBy(rule, index, call, output, atPointBefore);
    const asked = call <= 0 ? 0 : this.sharesPrefix ? sharing() : this.costs.callAlone(index, call, output);
    this.#take(index, from, all + this.#refreshes(index, refreshes, before) + asked + warm, KEPT_ALIVE);
  }

  /** A compaction in the pause before a request ends a stretch: parameters as in `#offer`. */
  #offerInPause(index: number, from: number, cost: number, { call, before }: Omit<End, "atPointBefore">): void {
    const compaction = this.#length + index;
    const left = this.#left[compaction] ?? -1;
    if (left < 0) return;
    this.#pauses[index]?.compactions.forEach((option, at) => {
      const own = cost + this.#refreshes(index, option.refreshes, before) + this.#penalty(left);
      this.#take(compaction, from, own + this.#inPause(index, option, call, before), at);
    });
  }

  /** Cost of the call during a pause, and of the request that ends it. */
  #inPause(index: number, { callRule, rule, unusedRule }: InPause, call: Tokens, before: Tokens): number {
    const compaction = this.#length + index;
    const [left, shared] = [this.#left[compaction] ?? 0, this.#leftShared[compaction] ?? 0];
    if (call <= 0) return this.costs.requestBy(unusedRule, index, left, shared, before);
    const output = this.#summary[compaction] ?? 0;
    const asked = this.sharesPrefix
      ? this.costs.callSharingBy(callRule, index - 1, call, output, before)
      : this.costs.callAlone(index - 1, call, output);
    return asked + this.costs.requestBy(rule, index, left, shared, before);
  }

  /** Keeps the cheapest way to a compaction. A cost of NaN is ignored. */
  #take(compaction: number, from: number, cost: number, option: number): void {
    if (!(cost < (this.#least[compaction] ?? 0))) return;
    this.#least[compaction] = cost;
    this.#previous[compaction] = from;
    this.#option[compaction] = option;
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
