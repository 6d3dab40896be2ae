import { isComparable } from "../compaction/counting";
import type { Compared } from "./compared";
import type { ReplayFigures } from "./figures";

export type Metric = keyof ReplayFigures;

/** Figures that are compared, in the order of tables, and which end of each is the better one. */
export const METRICS: readonly { readonly metric: Metric; readonly better: "lower" | "higher" }[] = [
  { metric: "compactions", better: "lower" },
  { metric: "peak", better: "lower" },
  { metric: "tokensSent", better: "lower" },
  { metric: "tokensRewritten", better: "lower" },
  { metric: "summaryCallTokens", better: "lower" },
  { metric: "keptTokens", better: "higher" },
  { metric: "requestsNearWindow", better: "lower" },
  { metric: "requestsOverWindow", better: "lower" },
  { metric: "shortestCycle", better: "higher" },
];

/** One figure of several replays, in their order. */
export interface Difference {
  readonly metric: Metric;
  /** `null` where a replay does not have this figure, and where it stands apart. */
  readonly values: readonly (number | null)[];
  /** The first of those with the best value; `null` where no replay has this figure, and where the only one that has it is compared with nothing. */
  readonly best: number | null;
  /** The replays whose figure rests on another basis than that of the others: it is not set against theirs. */
  readonly apart: readonly number[];
}

/** The figures of several replays set beside each other, a row a metric. Only figures of comparable bases are in one row. */
export function differences(runs: readonly Compared[]): readonly Difference[] {
  return METRICS.map(({ metric, better }) => {
    const apart = runsApart(runs, metric);
    const values = runs.map(({ figures }, run) => (apart.includes(run) ? null : figures[metric]));
    return { metric, values, best: bestOf(values, better, apart.length > 0), apart };
  });
}

/** @param isPart whether some of the runs stand apart: one that is left alone then is the best of nothing */
function bestOf(values: Difference["values"], better: "lower" | "higher", isPart: boolean): number | null {
  const known = values.filter((value) => value !== null);
  if (known.length < (isPart ? 2 : 1)) return null;
  return values.indexOf(better === "lower" ? Math.min(...known) : Math.max(...known));
}

/**
 * The runs whose figure is not set against that of the others. Of runs whose figures cannot be compared those are compared that are more;
 * of as many on either side those with the first simulation, as it is asked about.
 */
function runsApart(runs: readonly Compared[], metric: Metric): readonly number[] {
  const asked = runs.find(({ isRecording }) => !isRecording) ?? runs[0];
  if (asked === undefined) return [];
  const isLike = (one: Compared) => runs.filter((run) => isComparableIn(metric, run, one));
  const most = runs.reduce((best, one) => (isLike(one).length > isLike(best).length ? one : best), asked);
  return runs.flatMap((run, index) => (isComparableIn(metric, run, most) ? [] : [index]));
}

/** Whether a figure of one run may be set against that of another. */
export function isComparableIn(metric: Metric, a: Compared, b: Compared): boolean {
  return isComparable(a.basis, b.basis) && (metric !== "tokensRewritten" || a.rewrittenByReads === b.rewrittenByReads);
}

/** Whether a run has the best value of a figure in which runs that have it differ: what a table marks. */
export function isBest({ values, best }: Pick<Difference, "values" | "best">, run: number): boolean {
  const known = values.filter((value) => value !== null);
  if (best === null || known.every((value) => value === known[0])) return false;
  return values[run] === values[best];
}
