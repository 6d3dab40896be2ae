import { profileOf } from "@/lib/agents/profiles";
import type { CostTermsWire, SimulatedCostUsd } from "@/lib/api/types";
import type { SessionColumns } from "@/lib/core/columns/columns";
import type { Replay } from "@/lib/core/compaction/replay";
import type { Lifetime } from "@/lib/core/cost/cache-model";
import { dollarsOf, type MicroDollars } from "@/lib/core/cost/money";
import { costWithLifetime } from "@/lib/core/cost/other-lifetime";
import { type PricedRequest, pricedRequests } from "@/lib/core/cost/priced-requests";
import { type Cost, recordedCost, totalOf } from "@/lib/core/cost/recorded-cost";
import { type CostBasis, costBasis, type SimulatedCost, simulatedCost } from "@/lib/core/cost/simulated-cost";
import type { Prices } from "@/lib/core/prices/prices";
import { type CostTerms, priceChoice } from "./cost-terms";
import type { PreparedPolicy } from "./session-context";

/** A policy as it was prepared, and its replay. */
export type CostedRun = readonly [
  prepared: Pick<PreparedPolicy, "policy" | "settings">,
  replay: Pick<Replay, "context" | "shared" | "estimated" | "compactions">,
];

/**
 * What replays of one session would have cost by some prices: docs/prices.md. What no replay changes is looked up once, when the first one is asked for;
 * then it is arithmetic.
 */
export class ReplayCosts {
  readonly #requests: readonly PricedRequest[];
  readonly #lifetime: Lifetime;
  readonly #lowerBound: boolean;
  #basis: CostBasis | undefined;
  #recorded: SimulatedCostUsd | null | undefined;

  /** What was asked for, as answers repeat it. */
  readonly terms: CostTermsWire;

  /** Throws `ChoiceError` for a model that has no price. @param agent who wrote the recording */
  constructor(
    agent: string | null,
    private readonly columns: SessionColumns,
    prices: Prices,
    { ttl = "recorded", on, priceDate = "recorded" }: CostTerms = {},
  ) {
    this.terms = { ttl, on: on ?? null, priceDate, otherTokenizer: on !== undefined };
    this.#requests = pricedRequests(columns, prices, priceChoice({ on, priceDate }, prices));
    this.#lifetime = ttl;
    this.#lowerBound = profileOf(agent)?.outputIsLowerBound === true;
  }

  /** `null` where a request has no price. */
  of(...[{ policy, settings }, { context, shared, estimated, compactions }]: CostedRun): SimulatedCostUsd | null {
    if (shared === undefined) return this.ofRecording();
    this.#basis ??= costBasis(this.columns, this.#requests, this.#lifetime);
    const sharesPrefix = profileOf(policy.id)?.summaryCall?.sharesPrefix(settings);
    const found = simulatedCost(this.#basis, { context, shared, estimated, compactions }, sharesPrefix);
    return found === undefined ? null : this.#ofSimulation(found);
  }

  /** What was recorded, with the lifetime that was asked for. */
  ofRecording(): SimulatedCostUsd | null {
    if (this.#recorded === undefined) this.#recorded = this.#recordedOnce();
    return this.#recorded;
  }

  #recordedOnce(): SimulatedCostUsd | null {
    const cost =
      this.#lifetime === "recorded"
        ? recordedCost(this.#requests).cost
        : costWithLifetime(this.columns, this.#requests, this.#lifetime);
    if (cost === undefined) return null;
    const total = totalOf(cost);
    return this.#answer(cost, total, { summaryCalls: undefined, low: total, high: total });
  }

  #ofSimulation(found: SimulatedCost): SimulatedCostUsd {
    const { cost, summaryCalls } = found;
    const total = cost === undefined || summaryCalls === undefined ? undefined : totalOf(cost) + summaryCalls;
    return this.#answer(cost, total, found);
  }

  #answer(
    cost: Cost | undefined,
    total: MicroDollars | undefined,
    { summaryCalls, low, high }: Omit<SimulatedCost, "cost">,
  ): SimulatedCostUsd {
    const part = (amount: MicroDollars | undefined) => (amount === undefined ? null : dollarsOf(amount));
    const { read, write, plain, output } = cost ?? {};
    return {
      ...{ read: part(read), write: part(write), plain: part(plain), output: part(output), total: part(total) },
      ...{ summaryCalls: part(summaryCalls), low: dollarsOf(low), high: dollarsOf(high) },
      ...{ priced: true, lowerBound: this.#lowerBound },
    };
  }
}
