import type { RequestIndex, Tokens } from "../base/units";
import type { LeftBehind } from "../compaction/policies/left-behind";
import { totalOf } from "./recorded-cost";
import { RequestCosts } from "./request-costs";
import type { CostBasis } from "./simulated-cost";
import type { SureRequests } from "./sure-requests";

/** What would be sent, and how much of it is the unchanged beginning of what the point before sent. Columns are by request point. */
export interface Sent {
  readonly context: ArrayLike<Tokens>;
  readonly shared: ArrayLike<Tokens>;
}

/** A session that is never compacted, and what a compaction before any of its requests would leave. */
export interface Schedulable extends Sent {
  /** 0 where its context is what was recorded. */
  readonly estimated: ArrayLike<number>;
  /** The same by the simulation alone: after a compaction, contexts grow as these do. */
  readonly simulated: Sent;
  readonly left: LeftBehind;
  readonly turnStart: ArrayLike<number>;
}

/** When to compact, and what the session costs then, in micro-dollars that are not rounded. */
export interface Schedule {
  readonly requests: readonly RequestIndex[];
  readonly cost: number;
}

/** In longer sessions a compaction is considered only before some requests. Source: docs/method.md, "The best schedule". */
const CONSIDERED_ALL = 5000;
const CONSIDERED_STEP = 10;

/** A request above the window costs more than all money: a schedule has one only where every schedule has. */
const ABOVE_WINDOW = 1e12;

/** No request: the stretch before the first compaction. */
const START = -1;

/**
 * The times for compactions at which a session costs least without passing its window: exact for compactions that leave what they would leave of a
 * history that was never compacted. `undefined` where a request has no price, where nothing tells what a cache reads, or where there are no requests.
 * Time: requests × requests of a stretch without a compaction, since no stretch goes on above the window.
 * @param window the most that may be sent
 * @param sharesPrefix whether the call for a summary begins with what was sent before it
 */
export function bestSchedule(
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
class Stretch {
  readonly context: Float64Array;
  /** What the point before it sends, which may have no usage. */
  readonly before: Float64Array;
  /** How much of what the request before sent is not sent again although nothing was compacted: turns that a person took back. */
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

/** The end of a stretch: what its call sends, and what the point and the request with usage before it sent. */
interface End {
  readonly call: Tokens;
  readonly atPointBefore: Tokens;
  readonly before: Tokens;
}

class Search {
  readonly #length: number;
  /** By request with usage: the stretch before the first compaction, and the contexts as which later ones grow. */
  readonly #first: Stretch;
  readonly #grown: Stretch;
  /** What a compaction before it leaves; -1 where none is considered. */
  readonly #left: Float64Array;
  readonly #leftShared: Float64Array;
  readonly #call: Float64Array;
  readonly #summary: Float64Array;
  readonly #calledAgain: Float64Array;
  /** What it cost where it stands as it was recorded; NaN elsewhere. */
  readonly #recorded: Float64Array;
  /** The least cost of everything up to a request with a compaction before it, its call and the request included; and the compaction before. */
  readonly #least: Float64Array;
  readonly #previous: Int32Array;
  #end = { cost: Number.POSITIVE_INFINITY, from: START };

  constructor(
    private readonly basis: CostBasis,
    private readonly costs: RequestCosts,
    { simulated, left, turnStart, ...first }: Schedulable,
    private readonly window: Tokens,
    private readonly sharesPrefix: boolean,
  ) {
    const { sure, lifetime } = basis;
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
      const follows = lifetime === "recorded" && estimated[point] === 0;
      const known = follows ? sure.known(index, context[point] ?? 0) : undefined;
      return known === undefined ? Number.NaN : totalOf(known);
    });
    this.#least = new Float64Array(length).fill(Number.POSITIVE_INFINITY);
    this.#previous = new Int32Array(length).fill(START);
  }

  #isConsidered(index: number, startsTurn: boolean): boolean {
    if (this.#length <= CONSIDERED_ALL || startsTurn || index % CONSIDERED_STEP === 0) return true;
    return this.costs.isCold(index);
  }

  found(): Schedule {
    this.#walkFromStart();
    for (let from = 0; from < this.#length; from++)
      if ((this.#least[from] ?? 0) < Number.POSITIVE_INFINITY) this.#walk(from);
    const requests: RequestIndex[] = [];
    for (let at = this.#end.from; at !== START; at = this.#previous[at] ?? START)
      requests.push(this.basis.sure.point(at));
    return { requests: requests.reverse(), cost: this.#end.cost };
  }

  /** The stretch before the first compaction, which may follow the recording. */
  #walkFromStart(): void {
    const { context, before: atPointBefore, lost } = this.#first;
    let [cost, before] = [0, 0];
    for (let index = 0; index < this.#length; index++) {
      const sent = context[index] ?? 0;
      // A call is counted by the simulation; as long as the recording is followed, it sends what was recorded.
      const call = (this.#call[index] ?? 0) + sent - (this.#grown.context[index] ?? 0);
      this.#offer(index, START, cost, { call, atPointBefore: atPointBefore[index] ?? 0, before });
      const recorded = this.#recorded[index] ?? Number.NaN;
      const shared = before - (lost[index] ?? 0);
      cost += Number.isNaN(recorded) ? this.costs.request(index, sent, shared, before) : recorded;
      if (sent > this.window) cost += ABOVE_WINDOW;
      before = sent;
    }
    this.#finish(START, cost);
  }

  /** The stretch behind a compaction, up to every compaction that could end it. */
  #walk(from: number): void {
    const { window, costs } = this;
    const { context, before: atPointBefore, lost } = this.#grown;
    const offset = (this.#left[from] ?? 0) - (context[from] ?? 0);
    const calledBefore = (this.#calledAgain[from] ?? 0) - (this.#call[from] ?? 0);
    // What the request behind the compaction costs is part of `#least`.
    let cost = this.#least[from] ?? 0;
    let before = this.#left[from] ?? 0;
    for (let index = from + 1; index < this.#length; index++) {
      const sent = Math.max(0, (context[index] ?? 0) + offset);
      const call = (this.#call[index] ?? 0) + calledBefore;
      // Most are dearer than what is known before anything is added.
      if (cost < (this.#least[index] ?? 0)) {
        this.#offer(index, from, cost, {
          call,
          atPointBefore: Math.max(0, (atPointBefore[index] ?? 0) + offset),
          before,
        });
      }
      if (this.#endsAt(index, sent)) return;
      cost += costs.request(index, sent, before - (lost[index] ?? 0), before);
      if (sent > window) cost += ABOVE_WINDOW;
      before = sent;
    }
    this.#finish(from, cost);
  }

  /** A compaction before a request ends a stretch. @param cost of everything before that request */
  #offer(index: number, from: number, cost: number, { call, atPointBefore, before }: End): void {
    const left = this.#left[index] ?? -1;
    if (left < 0) return;
    const output = this.#summary[index] ?? 0;
    const behind = this.costs.request(index, left, this.#leftShared[index] ?? 0, before);
    const all =
      cost + this.#callCost(index, call, output, atPointBefore) + behind + (left > this.window ? ABOVE_WINDOW : 0);
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

  /** Whether no stretch goes on here: it would pass the window, and would stay larger than one that is compacted here, which does not. */
  #endsAt(index: number, sent: Tokens): boolean {
    const left = this.#left[index] ?? -1;
    return sent > this.window && left >= 0 && left <= this.window;
  }

  #finish(from: number, cost: number): void {
    if (cost < this.#end.cost) this.#end = { cost, from };
  }
}
