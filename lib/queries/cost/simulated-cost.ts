import { profileOf } from "@/lib/agents/policies";
import { allSteps, type Steps } from "@/lib/core/base/steps";
import type { RequestIndex } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import type { PriceRatios } from "@/lib/core/compaction/policy/policy";
import { PolicyError } from "@/lib/core/compaction/policy/policy-error";
import type { Replay } from "@/lib/core/compaction/replay";
import { billOf, hasPartialOutput } from "@/lib/core/cost/bill";
import { dollarsOf, type MicroDollars } from "@/lib/core/cost/money";
import { costWithTtl } from "@/lib/core/cost/other-ttl";
import { type PricedRequest, pricedRequests, repriced } from "@/lib/core/cost/priced-requests";
import { type Cost, recordedCost, totalOf } from "@/lib/core/cost/recorded-cost";
import { priceRatios } from "@/lib/core/cost/simulated/price-ratios";
import { type CostBasis, costBasis, type SimulatedCost, simulatedCost } from "@/lib/core/cost/simulated/simulated-cost";
import {
  type CostedSimulation,
  type SimulatedSeries,
  simulatedSeries,
} from "@/lib/core/cost/simulated/simulated-series";
import type { Prices } from "@/lib/core/prices/prices";
import type { CostTermsWire, CostUsd, SimulatedCostUsd } from "@/lib/queries/contract/types";
import { withUnpriced } from "@/lib/queries/wire/least";
import type { PreparedPolicy } from "../session/session-context";
import { type CostTerms, priceChoice } from "./cost-terms";
import { findSchedule, type HindsightOptimum, type ScheduledRun, ScheduleMemory, totalCost } from "./hindsight-optimum";

export type CostedRun = readonly [
  prepared: Pick<PreparedPolicy, "policy" | "settings">,
  replay: Pick<Replay, "context" | "shared" | "estimated" | "compactions" | "keptAlive">,
];

/** True if the summary call begins with content that was sent before. */
export function sharesPrefixOf({ policy, settings }: CostedRun[0]): boolean | undefined {
  return profileOf(policy.id)?.summaryCall?.sharesPrefix(settings);
}

interface CostedRecording {
  readonly columns: SessionColumns;
}

/**
 * Costs of a session's replays at some prices: docs/prices.md. Values that no replay changes are computed once, for the first replay; the rest is
 * arithmetic.
 */
export class ReplayCosts {
  readonly #columns: SessionColumns;
  readonly #calls: () => readonly PricedRequest[];
  readonly #hasPauses: boolean;
  readonly #from: RequestIndex;
  readonly #like: ReplayCosts | undefined;
  readonly #schedules = new ScheduleMemory();
  readonly #price: () => readonly PricedRequest[];
  #requests: readonly PricedRequest[] | undefined;
  #basis: CostBasis | undefined;
  #ratios: { readonly found: PriceRatios | undefined } | undefined;
  #recorded: SimulatedCostUsd | null | undefined;
  #lowerBound: boolean | undefined;
  #unpriced: Pick<CostUsd, "unpricedModels"> | undefined;

  /** The requested terms, as answers repeat them. */
  readonly terms: CostTermsWire;
  /**
   * Throws `ChoiceError` for a model that has no price.
   * @param hasPauses true if simulated requests have their recorded gaps; else each follows the previous one at once
   * @param like costs of the same session and price list on other terms, whose results are reused
   * @param from the first request that counts in the sums of `of`
   */
  constructor(
    { columns }: CostedRecording,
    prices: Prices,
    { ttl = "recorded", on, priceDate = "recorded" }: CostTerms = {},
    {
      hasPauses = true,
      like,
      from = 0,
    }: { readonly hasPauses?: boolean; readonly like?: ReplayCosts; readonly from?: RequestIndex } = {},
  ) {
    this.terms = { ttl, on: on ?? null, priceDate, otherTokenizer: on !== undefined };
    const choice = priceChoice({ on, priceDate }, prices);
    this.#like = like;
    this.#price = () => {
      if (like === undefined) return pricedRequests(columns, prices, choice);
      const hasSamePrices = like.terms.on === this.terms.on && like.terms.priceDate === priceDate;
      return hasSamePrices ? like.requests : repriced(like.requests, prices, choice);
    };
    this.#columns = columns;
    this.#hasPauses = hasPauses;
    this.#from = from;
    this.#calls = () => billOf(columns, prices, choice).compactions?.priced ?? [];
  }

  /** The recorded requests with their prices. */
  get requests(): readonly PricedRequest[] {
    this.#requests ??= this.#price();
    return this.#requests;
  }

  get counted(): readonly PricedRequest[] {
    return this.#from === 0 ? this.requests : this.requests.filter(({ request }) => request >= this.#from);
  }

  /** The field of its totals for the models of counted requests that have no price. */
  get unpriced(): Pick<CostUsd, "unpricedModels"> {
    const { on } = this.terms;
    this.#unpriced ??= withUnpriced(
      this.counted.map(({ rates, model }) => (rates === undefined ? (on ?? model ?? "") : "")),
    );
    return this.#unpriced;
  }

  /** The recorded calls for summaries with their prices: rows of the extra requests. */
  get summaryCalls(): readonly PricedRequest[] {
    return this.#calls();
  }

  /** Prices of tokens in proportion; `undefined` if none has a price. */
  get ratios(): PriceRatios | undefined {
    this.#ratios ??= { found: priceRatios(this.requests, this.terms.ttl) };
    return this.#ratios.found;
  }

  /** `null` if a request has no price. */
  of(...run: CostedRun): SimulatedCostUsd | null {
    if (run[1].shared === undefined) return this.ofRecording();
    const found = this.sumOf(...run);
    if (found === undefined) return null;
    return { ...this.#answer(found.cost, totalCost(found), found), ...this.#pauses(run[1], found) };
  }

  /** Cost of actions in pauses; none for a replay that never acts there. */
  #pauses({ context, compactions, keptAlive }: CostedRun[1], { keepAlive, unused }: SimulatedCost) {
    const idle = compactions.filter(({ at }) => at !== undefined);
    if (idle.length === 0 && keptAlive?.some((minutes) => minutes > 0) !== true) return {};
    const pauses = {
      idle: idle.length,
      unusedIdle: idle.filter(({ request }) => request >= context.length).length,
      keepAliveRequests: keepAlive.requests,
      keepAliveUsd: dollarsOf(keepAlive.cost),
      unusedUsd: dollarsOf(unused),
    };
    return { pauses };
  }

  /** The recorded cost, with the requested TTL. */
  ofRecording(): SimulatedCostUsd | null {
    if (this.#recorded === undefined) this.#recorded = this.#recordedOnce();
    return this.#recorded;
  }

  /** The recorded cost in micro-dollars. */
  recordedSum(): Cost | undefined {
    const { ttl } = this.terms;
    const own = this.counted;
    return ttl === "recorded" ? recordedCost(own).cost : costWithTtl(this.#columns, own, ttl);
  }

  /** The cost of a simulation, in micro-dollars; `undefined` if a request has no price, and for the recording itself. */
  sumOf(...run: CostedRun): SimulatedCost | undefined {
    return this.#simulated(run, (basis, simulation, sharesPrefix) =>
      simulatedCost(basis, simulation, sharesPrefix, undefined, this.#from),
    );
  }

  /** The costs of every request and every compaction of a simulation; `undefined` if the sum is. */
  seriesOf(...run: CostedRun): SimulatedSeries | undefined {
    return this.#simulated(run, simulatedSeries);
  }

  /** True if the search for a policy's hindsight optimum is done, so that it is available at once. */
  knowsSchedule(run: ScheduledRun): boolean {
    return this.#schedules.has(run);
  }

  /** A policy's best timing in hindsight; `undefined` if unknown (`findSchedule`), or if a user's own policy fails during the search. */
  hindsightOptimum(run: ScheduledRun): HindsightOptimum | undefined {
    return allSteps(this.searchSchedule(run));
  }

  searchSchedule(run: ScheduledRun): Steps<HindsightOptimum | undefined> {
    return this.#schedules.of(run, () => this.#search(run));
  }

  /** The cost of a policy's hindsight optimum, in dollars, and the extra cost of its replay (`regret`); `null` if unknown. */
  regretAndBest(
    run: ScheduledRun,
    cost: Pick<SimulatedCostUsd, "total"> | null,
  ): { readonly regret: number | null; readonly bestUsd: number | null } {
    const best = this.hindsightOptimum(run);
    return { regret: this.regret(run, cost), bestUsd: best === undefined ? null : dollarsOf(best.cost) };
  }

  /**
   * Extra cost of a policy's replay compared with its hindsight optimum, as a share of the optimum's cost; `null` if unknown. The kept items of a
   * compaction may depend on the previous one, so a policy may beat the schedule that was found: then the regret is 0.
   * @param cost of the replay
   */
  regret(run: ScheduledRun, cost: Pick<SimulatedCostUsd, "total"> | null): number | null {
    const own = cost?.total ?? null;
    const best = own === null ? undefined : this.hindsightOptimum(run);
    return own === null || best === undefined || best.cost <= 0 ? null : Math.max(0, own / dollarsOf(best.cost) - 1);
  }

  *#search(run: ScheduledRun): Steps<HindsightOptimum | undefined> {
    const { policy, settings } = run.prepared;
    const costOf = (replay: Replay) => this.sumOf({ policy, settings }, replay);
    const prices = { basis: this.#basisOnce(), sharesPrefix: sharesPrefixOf({ policy, settings }), costOf };
    try {
      return yield* findSchedule(run, prices);
    } catch (error) {
      // The search compacts at other requests than the replay, so the policy may fail only here: then its replay is valid, and its best timing is
      // unknown.
      if (error instanceof PolicyError) return undefined;
      throw error;
    }
  }

  #simulated<Found>(
    [{ policy, settings }, { context, shared, estimated, compactions, keptAlive }]: CostedRun,
    find: (basis: CostBasis, simulation: CostedSimulation, sharesPrefix: boolean | undefined) => Found | undefined,
  ): Found | undefined {
    if (shared === undefined) return undefined;
    const simulation = { context, shared, estimated, compactions, keptAlive };
    return find(this.#basisOnce(), simulation, sharesPrefixOf({ policy, settings }));
  }

  /** True if a counted request has only the beginning of its output recorded. */
  #isLowerBound(): boolean {
    this.#lowerBound ??= this.counted.some(({ request }) => hasPartialOutput(this.#columns, request));
    return this.#lowerBound;
  }

  #basisOnce(): CostBasis {
    this.#basis ??= costBasis(this.#columns, this.requests, this.terms.ttl, this.#hasPauses, this.#like?.requests);
    return this.#basis;
  }

  #recordedOnce(): SimulatedCostUsd | null {
    const cost = this.recordedSum();
    if (cost === undefined) return null;
    const total = totalOf(cost);
    return this.#answer(cost, total, { summaryCalls: undefined, low: total, high: total });
  }

  #answer(
    cost: Cost | undefined,
    total: MicroDollars | undefined,
    { summaryCalls, low, high }: Pick<SimulatedCost, "summaryCalls" | "low" | "high">,
  ): SimulatedCostUsd {
    const part = (amount: MicroDollars | undefined) => (amount === undefined ? null : dollarsOf(amount));
    const { read, write, plain, output } = cost ?? {};
    return {
      read: part(read),
      write: part(write),
      plain: part(plain),
      output: part(output),
      total: part(total),
      summaryCalls: part(summaryCalls),
      low: dollarsOf(low),
      high: dollarsOf(high),
      priced: true,
      lowerBound: this.#isLowerBound(),
    };
  }
}
