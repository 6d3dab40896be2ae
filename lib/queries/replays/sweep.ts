import { type SweepSet, sweepPoints, type VaryRange } from "@/lib/core/analysis/grid";
import { basisOf } from "@/lib/core/compaction/counting";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import type { Recording } from "@/lib/core/context/recording";
import { frontOf } from "@/lib/core/metrics/pareto";
import { type Spent, TRADE_OFFS } from "@/lib/core/metrics/registry";
import { bandsOf, type MetricBands, type Metrics, metricsOf, type SweptMetrics } from "@/lib/core/metrics/values";
import type { ReplayRequest, SimulatedCostUsd, SweepRow } from "@/lib/queries/contract/types";
import type { CostTerms } from "../cost/cost-terms";
import type { ReplayCosts } from "../cost/simulated-cost";
import { toCalibration } from "../session/calibration";
import { preparePolicy } from "../session/session-context";
import { countingInForce, metricInput, replayPrepared } from "./replay-result";

/** A sweep of one recording: one replay per point. All points share the fixed settings. */
export interface SweepPlan extends Omit<ReplayRequest, "estimator" | keyof CostTerms> {
  readonly vary: readonly VaryRange[];
  /** Spending metric of the front: points on the front of it against tokens kept are marked. */
  readonly spent?: Spent | undefined;
  /** True to compute the points' regret: one search for every set of kept items. */
  readonly regret?: boolean | undefined;
}

/** One point that was replayed. */
export interface SweptPoint {
  readonly set: SweepSet;
  readonly metrics: Metrics;
  readonly bands: MetricBands;
  /** Its cost, with its parts. */
  readonly costUsd: SimulatedCostUsd | null;
  readonly unpriced?: ReplayCosts["unpriced"];
  /** Its counting mode, and the basis of its metrics. */
  readonly counted: Pick<SweepRow, "counting" | "basis" | "calibration">;
}

/** Half-open range of a sweep's points, in the order of `sweepPoints`. */
export interface PointRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Replays some points of a sweep, computed from the columns: nothing is read or counted again. Deterministic: a sweep split into ranges gives the
 * same points as a whole one. Throws `ChoiceError` and `SettingError`.
 * @param beforeReplay is called before every point: a thread yields to other work there
 */
export function sweepRange(
  plan: SweepPlan,
  recording: Recording,
  costs: ReplayCosts,
  range: PointRange,
  beforeReplay: () => void = () => {},
): readonly SweptPoint[] {
  const { columns } = recording;
  const points = sweepPoints(plan.vary).slice(range.from, range.to);
  const prepared = preparePolicy(plan, recording, costs);
  const counting = countingInForce(plan, recording);
  return points.map((set) => {
    beforeReplay();
    const own = { ...prepared, settings: resolveSettings(prepared.specs, { ...plan.settings, ...set }) };
    const run = replayPrepared(own, counting, recording);
    const counted = { counting, basis: basisOf(run, columns), calibration: toCalibration(run.calibration) };
    const ran = { prepared: own, replay: run, counting, recording };
    const given = metricInput(ran, costs, { regret: plan.regret === true });
    const costed = { costUsd: given.cost, unpriced: costs.unpriced };
    return { set, metrics: metricsOf(given), bands: bandsOf(given), ...costed, counted };
  });
}

/** Points on the front of low spending, in tokens or dollars, against many tokens kept; points without one of the two are not on it. */
export function sweepFront(
  points: readonly { readonly metrics: SweptMetrics }[],
  spent: Spent = "tokensSent",
): readonly boolean[] {
  const pair = TRADE_OFFS[spent];
  const [one, kept] = pair;
  return frontOf(
    points.map(({ metrics }) => [metrics[one], metrics[kept]] as const),
    pair,
  );
}
