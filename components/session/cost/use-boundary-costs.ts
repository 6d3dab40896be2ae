"use client";

import { useMemo } from "react";
import type { BoundaryCost } from "@/lib/core/cost/boundary-cost";
import { recordedBoundaries } from "@/lib/questions/cost-reasons";
import { useSession } from "../state/session-data";
import { usePricedSession, useSimulatedSeries } from "./use-cost";

/** What the recorded compactions cost, in their order. */
export function useRecordedBoundaryCosts(): readonly BoundaryCost[] {
  const { columns, summary: session } = useSession();
  const { requests, breaks } = usePricedSession();
  return useMemo(
    () => recordedBoundaries({ session, columns, requests, breaks }),
    [session, columns, requests, breaks],
  );
}

const NONE: readonly BoundaryCost[] = [];

/** What the compactions of the simulation in force would have cost, in their order; none where that is not known. */
export function useSimulatedBoundaryCosts(): readonly BoundaryCost[] {
  return useSimulatedSeries()?.series.boundaries ?? NONE;
}
