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
  /** `null` where a replay does not have this figure. */
  readonly values: readonly (number | null)[];
  /** The first of those with the best value; `null` where no replay has this figure. */
  readonly best: number | null;
}

/** The figures of several replays set beside each other, a row a metric. */
export function differences(runs: readonly ReplayFigures[]): readonly Difference[] {
  return METRICS.map(({ metric, better }) => {
    const values = runs.map((figures) => figures[metric]);
    const known = values.filter((value) => value !== null);
    const best = better === "lower" ? Math.min(...known) : Math.max(...known);
    return { metric, values, best: known.length === 0 ? null : values.indexOf(best) };
  });
}

/** Whether a run has the best value of a figure in which runs that have it differ: what a table marks. */
export function isBest({ values, best }: Pick<Difference, "values" | "best">, run: number): boolean {
  const known = values.filter((value) => value !== null);
  if (best === null || known.every((value) => value === known[0])) return false;
  return values[run] === values[best];
}
