import { useDeferredValue, useMemo } from "react";
import { useFormat } from "@/components/format/use-format";
import type { Replay } from "@/lib/core/compaction/replay";
import type { BoundaryCost } from "@/lib/core/cost/boundary-cost";
import { type CacheMiss, type CacheMisses, cacheMisses } from "@/lib/core/cost/cache-misses";
import { dollarsOf, type MicroDollars } from "@/lib/core/cost/money";
import type { PricedRequest } from "@/lib/core/cost/priced-requests";
import type { SimulatedSeries } from "@/lib/core/cost/simulated/simulated-series";
import type { Cost as CostAnswer } from "@/lib/queries/contract/types";
import { toCost } from "@/lib/queries/cost/cost";
import { recordedBoundaries } from "@/lib/queries/cost/cost-reasons";
import { useReplay, useSession } from "../state/stores";
import { COST_PARSERS } from "../state/url-state";
import { useAddress } from "../state/use-address";
import { type ComparedCost, hasWrites, recordedWith, simulatedWith } from "./comparison";
import { COST_PARTS, type CostPart, type CostSeries, costSeries, simulatedCostSeries } from "./series";

/** The cost of the recording at the selected prices. No setting of the policy changes it. */
export function useRecordedCost(): CostAnswer {
  const { columns, summary } = useSession("columns", "summary");
  const { prices, terms } = useReplay("prices", "terms");
  const { on, priceDate } = terms;
  return useMemo(() => toCost(summary, columns, prices, { on, priceDate }), [summary, columns, prices, on, priceDate]);
}

/** The recorded requests, calls for summaries and cache misses at the selected prices. */
export function usePricedSession(): {
  readonly requests: readonly PricedRequest[];
  readonly summaryCalls: readonly PricedRequest[];
  readonly misses: CacheMisses | undefined;
} {
  const { columns } = useSession("columns");
  const { costs } = useReplay("costs");
  return useMemo(() => {
    const { requests, summaryCalls } = costs;
    return { requests, summaryCalls, misses: cacheMisses(columns, requests) };
  }, [columns, costs]);
}

/** The requests with their prices, and the parts in charts and lists. */
export interface CostDrawing {
  readonly requests: readonly PricedRequest[];
  readonly series: CostSeries;
  /** The parts that the file records: not every file records cache writes. */
  readonly parts: readonly CostPart[];
  readonly misses: CacheMisses | undefined;
  readonly missAt: ReadonlyMap<number, CacheMiss>;
}

/** The recorded requests by part, and their cache misses, in the address's unit. */
export function useCostDrawing(): CostDrawing {
  const { points } = useSession("points");
  const [{ unit }] = useCostView();
  const { requests, misses } = usePricedSession();
  const series = useMemo(() => costSeries(requests, points, unit), [requests, points, unit]);
  return useMemo(() => {
    const counted = (misses?.misses ?? []).filter(({ cause }) => cause !== "first");
    const parts = hasWrites(requests) ? COST_PARTS : COST_PARTS.filter((part) => part !== "write");
    return { requests, series, parts, misses, missAt: new Map(counted.map((one) => [one.request, one])) };
  }, [requests, series, misses]);
}

/** The unit, cache TTL, cause and step in the address. */
export function useCostView() {
  return useAddress(COST_PARSERS);
}

export interface ComparedCosts {
  readonly recorded: ComparedCost;
  /** The recording priced with the selected TTL; absent if that is the recorded one. */
  readonly withTtl: ComparedCost | undefined;
  readonly simulated: ComparedCost;
}

/** The recorded cost next to that of the current simulation. Its update is deferred, so it may lag behind a slider. */
export function useComparedCosts(): ComparedCosts {
  const { columns } = useSession("columns");
  const { costs } = useReplay("costs");
  const { simulated, choice } = useDeferredValue(useReplay("simulated", "choice"));
  const recorded = useMemo(() => recordedWith(columns, costs.requests, "recorded"), [columns, costs]);
  const { ttl } = costs.terms;
  const withTtl = useMemo(
    () => (ttl === "recorded" ? undefined : recordedWith(columns, costs.requests, ttl)),
    [columns, costs, ttl],
  );
  const run = useMemo(() => simulatedWith(columns, costs, choice, simulated), [columns, costs, choice, simulated]);
  return useMemo(() => ({ recorded, withTtl, simulated: run }), [recorded, withTtl, run]);
}

/**
 * The cost of every request of the current simulation; `undefined` if unknown, and if the policy is the recording itself.
 * @param most maximum number of compactions; with more, pricing would take too long and is skipped
 */
export function useSimulatedSeries(
  most = Number.POSITIVE_INFINITY,
): { readonly series: SimulatedSeries; readonly compactions: Replay["compactions"] } | undefined {
  const { costs } = useReplay("costs");
  const { simulated, choice } = useDeferredValue(useReplay("simulated", "choice"));
  return useMemo(() => {
    const { compactions } = simulated;
    const series = compactions.length > most ? undefined : costs.seriesOf(choice, simulated);
    return series && { series, compactions };
  }, [costs, choice, simulated, most]);
}

/** The cost of every request of the current simulation by part, in the address's unit. */
export function useSimulatedDrawing(): CostSeries | undefined {
  const { points } = useSession("points");
  const [{ unit }] = useCostView();
  const found = useSimulatedSeries();
  return useMemo(
    () => found && simulatedCostSeries(found.series, found.compactions, points, unit),
    [found, points, unit],
  );
}

/** Formats dollars, with `≥` for a lower bound; `null` if unknown. */
export function useUsd(): (dollars: number | null, lowerBound?: boolean) => string | null {
  const format = useFormat();
  return (dollars, lowerBound) => (dollars === null ? null : format.usd(dollars, lowerBound));
}

/** As `useUsd`, for micro-dollars. */
export function useMicroUsd(): (amount: MicroDollars | undefined, lowerBound?: boolean) => string | null {
  const usd = useUsd();
  return (amount, lowerBound) => usd(amount === undefined ? null : dollarsOf(amount), lowerBound);
}

/** The cost of each recorded compaction, in order. */
export function useRecordedBoundaryCosts(): readonly BoundaryCost[] {
  const { columns, summary: session } = useSession("columns", "summary");
  const { requests, misses, summaryCalls } = usePricedSession();
  return useMemo(
    () => recordedBoundaries({ session, columns, requests, misses }, summaryCalls),
    [session, columns, requests, misses, summaryCalls],
  );
}

const NONE: readonly BoundaryCost[] = [];

/** The cost of each compaction of the current simulation, in order; empty if unknown or if there are too many. */
export function useSimulatedBoundaryCosts(most?: number): readonly BoundaryCost[] {
  return useSimulatedSeries(most)?.series.boundaries ?? NONE;
}

/** Formats an amount of the chart: micro-dollars or tokens, by the unit in the address. */
export function useCostAmount(): (amount: number) => string {
  const format = useFormat();
  const [{ unit }] = useCostView();
  return unit === "usd" ? (amount) => format.usd(dollarsOf(amount)) : format.count;
}

/** An amount of the chart as a number for exports: dollars or tokens. */
export function useCostNumber(): (amount: number) => number {
  const [{ unit }] = useCostView();
  return unit === "usd" ? dollarsOf : (amount) => amount;
}
