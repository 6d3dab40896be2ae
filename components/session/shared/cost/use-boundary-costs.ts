import { useMemo } from "react";
import type { BoundaryCost } from "@/lib/core/cost/boundary-cost";
import { recordedBoundaries } from "@/lib/questions/cost/cost-reasons";
import { useSession } from "../state/session-data";
import { usePricedSession, useSimulatedSeries } from "./use-cost";

/** What each recorded compaction cost, in order. */
export function useRecordedBoundaryCosts(): readonly BoundaryCost[] {
  const { columns, summary: session } = useSession();
  const { requests, breaks, summaryCalls } = usePricedSession();
  return useMemo(
    () => recordedBoundaries({ session, columns, requests, breaks }, summaryCalls),
    [session, columns, requests, breaks, summaryCalls],
  );
}

const NONE: readonly BoundaryCost[] = [];

/** What each compaction of the simulation in force would have cost, in order; empty where that is not known, and for more compactions than are wanted. */
export function useSimulatedBoundaryCosts(most?: number): readonly BoundaryCost[] {
  return useSimulatedSeries(most)?.series.boundaries ?? NONE;
}
