import { useQueryStates } from "nuqs";
import { useDeferredValue, useMemo } from "react";
import { profileOf } from "@/lib/agents/profiles";
import type { Cost as CostAnswer } from "@/lib/api/types";
import type { Replay } from "@/lib/core/compaction/replay";
import { type CacheBreak, type CacheBreaks, cacheBreaks } from "@/lib/core/cost/breaks";
import { type PricedRequest, pricedRequests } from "@/lib/core/cost/priced-requests";
import { type CostBasis, costBasis } from "@/lib/core/cost/simulated-cost";
import { type SimulatedSeries, simulatedSeries } from "@/lib/core/cost/simulated-series";
import { toCost } from "@/lib/questions/cost";
import { priceChoice } from "@/lib/questions/cost-terms";
import { useCosts } from "../state/cost-data";
import { useReplay } from "../state/replay-data";
import { useSession } from "../state/session-data";
import { COST_PARSERS, URL_OPTIONS } from "../state/url-state";
import { type ComparedCost, hasWrites, recordedWith, simulatedWith } from "./comparison";
import { COST_PARTS, type CostPart, type CostSeries, costSeries, simulatedCostSeries } from "./series";

/** What the recording cost at the selected prices. No setting of the policy changes it. */
export function useRecordedCost(): CostAnswer {
  const { columns, summary } = useSession();
  const { prices, terms } = useCosts();
  const { on, priceDate } = terms;
  return useMemo(() => toCost(summary, columns, prices, { on, priceDate }), [summary, columns, prices, on, priceDate]);
}

/** The recorded requests at the selected prices, and where the cache broke. */
export function usePricedSession(): {
  readonly requests: readonly PricedRequest[];
  readonly breaks: CacheBreaks | undefined;
} {
  const { columns } = useSession();
  const { prices, terms } = useCosts();
  const { on, priceDate } = terms;
  return useMemo(() => {
    const requests = pricedRequests(columns, prices, priceChoice({ on, priceDate }, prices));
    return { requests, breaks: cacheBreaks(columns, requests) };
  }, [columns, prices, on, priceDate]);
}

/** The requests with their prices, and what the charts and lists show of them. */
export interface CostDrawing {
  readonly requests: readonly PricedRequest[];
  readonly series: CostSeries;
  /** The parts that the file records: not every file records cache writes. */
  readonly parts: readonly CostPart[];
  readonly breaks: CacheBreaks | undefined;
  readonly breakAt: ReadonlyMap<number, CacheBreak>;
}

/** The recorded requests by part, and their breaks, in the address's unit. */
export function useCostDrawing(): CostDrawing {
  const { points } = useSession();
  const [{ unit }] = useCostView();
  const { requests, breaks } = usePricedSession();
  const series = useMemo(() => costSeries(requests, points, unit), [requests, points, unit]);
  return useMemo(() => {
    const broken = (breaks?.breaks ?? []).filter(({ cause }) => cause !== "first");
    const parts = hasWrites(requests) ? COST_PARTS : COST_PARTS.filter((part) => part !== "write");
    return { requests, series, parts, breaks, breakAt: new Map(broken.map((one) => [one.request, one])) };
  }, [requests, series, breaks]);
}

/** The unit, lifetime, cause and step, as the address holds them. */
export function useCostView() {
  return useQueryStates(COST_PARSERS, URL_OPTIONS);
}

export interface ComparedCosts {
  readonly recorded: ComparedCost;
  /** The recording priced with the selected lifetime; absent where that is the recorded one. */
  readonly withTtl: ComparedCost | undefined;
  readonly simulated: ComparedCost;
}

/** The part of a simulation's cost that no setting of the policy changes. */
function useCostBasis(requests: readonly PricedRequest[]): CostBasis {
  const { columns } = useSession();
  const [{ ttl }] = useCostView();
  return useMemo(() => costBasis(columns, requests, ttl), [columns, requests, ttl]);
}

/** What was recorded beside what the simulation in force would have cost. Its update is deferred, so it may lag behind a slider. */
export function useComparedCosts(requests: readonly PricedRequest[]): ComparedCosts {
  const { columns } = useSession();
  const [{ ttl }] = useCostView();
  const { simulated, choice } = useDeferredValue(useReplay());
  const { policy, settings } = choice;
  const recorded = useMemo(() => recordedWith(columns, requests, "recorded"), [columns, requests]);
  const withTtl = useMemo(
    () => (ttl === "recorded" ? undefined : recordedWith(columns, requests, ttl)),
    [columns, requests, ttl],
  );
  const basis = useCostBasis(requests);
  const run = useMemo(() => {
    const sharesPrefix = profileOf(policy.id)?.summaryCall?.sharesPrefix(settings);
    return simulatedWith(columns, basis, simulated, sharesPrefix);
  }, [columns, basis, simulated, policy, settings]);
  return useMemo(() => ({ recorded, withTtl, simulated: run }), [recorded, withTtl, run]);
}

/**
 * What every request of the simulation in force would have cost; `undefined` where that is not known, and where the policy is the
 * recording itself.
 */
export function useSimulatedSeries():
  | { readonly series: SimulatedSeries; readonly compactions: Replay["compactions"] }
  | undefined {
  const { requests } = usePricedSession();
  const { simulated, choice } = useDeferredValue(useReplay());
  const { policy, settings } = choice;
  const basis = useCostBasis(requests);
  return useMemo(() => {
    const { context, shared, estimated, compactions } = simulated;
    if (shared === undefined) return undefined;
    const sharesPrefix = profileOf(policy.id)?.summaryCall?.sharesPrefix(settings);
    const series = simulatedSeries(basis, { context, shared, estimated, compactions }, sharesPrefix);
    return series && { series, compactions };
  }, [basis, simulated, policy, settings]);
}

/** The same, prepared for drawing, in the address's unit. */
export function useSimulatedDrawing(): CostSeries | undefined {
  const { points } = useSession();
  const [{ unit }] = useCostView();
  const found = useSimulatedSeries();
  return useMemo(
    () => found && simulatedCostSeries(found.series, found.compactions, points, unit),
    [found, points, unit],
  );
}
