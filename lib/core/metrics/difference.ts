import { isComparable } from "../compaction/counting";
import type { Compared } from "./compared";
import type { ComparisonBasis, Metric } from "./metric";
import type { MetricKey } from "./registry";
import { COMPARED_METRICS } from "./values";

/** One metric of several replays, in their order. */
export interface Difference {
  readonly metric: MetricKey;
  /** `null` if a replay does not have this metric, or if its value has another basis. */
  readonly values: readonly (number | null)[];
  /**
   * Index of the first replay without hindsight that has the best value; `null` if none of them has this metric, if neither direction is better, or
   * if only one replay has a value.
   */
  readonly best: number | null;
  /** Replays whose metric has another basis, so that it is not compared with the others. */
  readonly apart: readonly number[];
}

/** The metrics of several replays side by side, one row per metric. Only metrics of comparable bases are in one row. */
export function differences(runs: readonly Compared[]): readonly Difference[] {
  const hindsight = runs.flatMap(({ isHindsight }, run) => (isHindsight ? [run] : []));
  return COMPARED_METRICS.map((metric) => {
    const apart = runsApart(runs, (a, b) => isComparableIn(metric, a, b));
    const values = runs.map(({ metrics }, run) => (apart.includes(run) ? null : metrics[metric.key]));
    const contending = values.map((value, run) => (hindsight.includes(run) ? null : value));
    const isPart = apart.length + hindsight.length > 0;
    return { metric: metric.key, values, best: bestOf(contending, metric.better, isPart), apart };
  });
}

/** @param isPart true if some of the runs have another basis or hindsight: if one run then remains alone, it is not marked as best */
function bestOf(values: Difference["values"], better: Metric["better"], isPart: boolean): number | null {
  const known = values.filter((value) => value !== null);
  if (better === "neither" || known.length < (isPart ? 2 : 1)) return null;
  return values.indexOf(better === "lower" ? Math.min(...known) : Math.max(...known));
}

/** The runs that are not compared with the others in any metric, because they are counted differently. */
export function countedApart(runs: readonly Compared[]): readonly number[] {
  return runsApart(runs, (a, b) => isComparable(a.basis, b.basis));
}

/**
 * The runs that are not compared with the others. If runs are not comparable, the larger group is compared. If the groups are equally large, it is
 * the group of the first simulation, because that is the run in question.
 */
function runsApart(
  runs: readonly Compared[],
  isLike: (a: ComparisonBasis, b: ComparisonBasis) => boolean,
): readonly number[] {
  const fallback = runs.find(({ isRecording }) => !isRecording) ?? runs[0];
  if (fallback === undefined) return [];
  const alike = (one: Compared) => runs.filter((run) => isLike(run, one)).length;
  const most = runs.reduce((best, one) => (alike(one) > alike(best) ? one : best), fallback);
  return runs.flatMap((run, index) => (isLike(run, most) ? [] : [index]));
}

/** True if a metric of one run may be compared with that of another. */
export function isComparableIn(
  { comparable }: Pick<Metric, "comparable">,
  a: ComparisonBasis,
  b: ComparisonBasis,
): boolean {
  return isComparable(a.basis, b.basis) && (comparable?.(a, b) ?? true);
}

/**
 * True if a run has the best value of a metric and not all runs with the metric are equal: then a table marks it.
 * @param isHindsight true if a run knows the future, so that it is never best
 */
export function isBest(
  { values, best }: Pick<Difference, "values" | "best">,
  run: number,
  isHindsight: (run: number) => boolean = () => false,
): boolean {
  const known = values.filter((value, index) => value !== null && !isHindsight(index));
  if (best === null || isHindsight(run) || known.every((value) => value === known[0])) return false;
  return values[run] === values[best];
}
