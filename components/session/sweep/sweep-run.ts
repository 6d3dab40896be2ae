import { SLICE_MS } from "@/components/hooks/in-slices";
import type { Recording } from "@/lib/core/context/recording";
import { sweepPoints } from "@/lib/core/metrics/grid";
import type { ReplayCosts } from "@/lib/questions/cost/simulated-cost";
import { type SweepPlan, type SweptPoint, sweepFront, sweepRange } from "@/lib/questions/replays/sweep";
import type { ShownPoints } from "./points";

/** A finished sweep. */
export interface SweepResult extends ShownPoints {
  readonly points: readonly SweptPoint[];
  /** Time that all replays took together, in ms. */
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
