import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { SLICE_MS } from "@/components/hooks/newest-result";
import { sweepPoints } from "@/lib/core/analysis/grid";
import type { Recording } from "@/lib/core/context/recording";
import type { SweptKey } from "@/lib/core/metrics/registry";
import type { ReplayCosts } from "@/lib/queries/cost/simulated-cost";
import { type SweepPlan, type SweptPoint, sweepFront, sweepRange } from "@/lib/queries/replays/sweep";
import { useReplay, useSession } from "../shared/state/stores";
import { asksForContents, refetchQuery, useMeasures, useWithRefetches } from "../shared/state/use-measures";
import type { Axis } from "./axes";
import type { ShownPoints } from "./points";

export interface Sweeping {
  /** The last finished sweep: for the current choice, or the previous sweep while that one is running. */
  readonly result: SweepResult | undefined;
  readonly running: boolean;
  /** Error of the last sweep; `null` if it succeeded. */
  readonly error: Error | null;
  /** Number of finished replays of the running sweep. */
  readonly done: number;
}

/** Lifetime of a finished sweep, so that returning to it takes no time. */
const KEEP_MS = 120_000;

const numbers = new WeakMap<object, number>();
let last = 0;

/** A number that identifies an object during its life: columns are too large for a query's key. */
function numberOf(data: object): number {
  const known = numbers.get(data);
  if (known !== undefined) return known;
  last += 1;
  numbers.set(data, last);
  return last;
}

/** Metrics computed only on demand: the distance to the hindsight optimum, and its cost, also as a line in the curve of costs. */
export function asked(metric: SweptKey, axes: readonly Axis[]): Pick<SweepPlan, "regret"> {
  const isShown = metric === "regret" || metric === "bestUsd" || (metric === "costUsd" && axes.length === 1);
  return isShown ? { regret: true } : {};
}

/** Sweeps the replay panel's policy over the axes, in the page itself, over the numbers of the page's own simulation. */
export function useSweep(axes: readonly Axis[], metric: SweptKey): Sweeping {
  const session = useSession((state) => state);
  const { id, columns, recording } = session;
  const { choice, costs } = useReplay("choice", "costs");
  const measured = useWithRefetches(
    session,
    useMeasures(session, columns, choice.policy, asksForContents(choice.settings)),
  );
  const { isLoading } = useQuery(refetchQuery(session));
  const [done, setDone] = useState(0);
  const { policy, preset, window, settings, counting } = choice;
  const wanted = useMemo((): SweepPlan => {
    const varied = new Set(axes.map(({ range }) => range.key));
    const fixed = Object.entries(settings).filter(([key]) => !varied.has(key));
    return {
      policy: policy.id,
      preset,
      window: window.tokens,
      counting,
      settings: Object.fromEntries(fixed),
      vary: axes.map(({ range }) => range),
      ...asked(metric, axes),
    };
  }, [axes, metric, policy, preset, window, settings, counting]);
  // The sweep follows a slider only once it has nearly come to rest: it does not run for every frame.
  const plan = useDeferredValue(wanted);
  const query = useQuery({
    queryKey: ["session", id, "sweep", numberOf(recording.tokens), numberOf(measured), numberOf(costs), plan],
    queryFn: ({ signal }) =>
      sweepInSlices(plan, { ...recording, columns: measured }, costs, { signal, onProgress: setDone }),
    // Metrics need it: without waiting, every sweep would run twice.
    enabled: axes.length > 0 && !isLoading,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEEP_MS,
    retry: false,
  });
  return { result: query.data, running: query.isFetching, error: query.error, done };
}

interface SweepResult extends ShownPoints {
  readonly points: readonly SweptPoint[];
  /** Duration of all replays together, in ms. */
  readonly workMs: number;
}

interface SweepListener {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
}

/**
 * Sweeps in slices, so that the page stays responsive. The points equal those of the command line for the same columns and
 * settings. Rejects when the signal aborts, and with `SettingError`.
 */
export async function sweepInSlices(
  plan: SweepPlan,
  recording: Recording,
  costs: ReplayCosts,
  { signal, onProgress }: SweepListener,
): Promise<SweepResult> {
  const total = sweepPoints(plan.vary).length;
  const points: SweptPoint[] = [];
  let workMs = 0;
  while (points.length < total) {
    signal.throwIfAborted();
    const started = performance.now();
    while (points.length < total && performance.now() - started < SLICE_MS) {
      points.push(...sweepRange(plan, recording, costs, { from: points.length, to: points.length + 1 }));
    }
    workMs += performance.now() - started;
    onProgress(points.length);
    await new Promise((resolve) => setTimeout(resolve));
  }
  return { vary: plan.vary, points, front: sweepFront(points), workMs };
}
