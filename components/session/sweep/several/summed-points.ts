import type { SweepRow } from "@/lib/api/types";
import type { SweepSet, VaryRange } from "@/lib/core/metrics/grid";
import { paretoFront } from "@/lib/core/metrics/pareto";
import type { ShownPoints } from "../shown-points";
import type { ShownMetric } from "../vary-param";

/** A point over several recordings. */
export interface SummedPoint {
  readonly set: SweepSet;
  /** Sums over the recordings; of the peak the highest, of what a compaction kept the mean. */
  readonly figures: Readonly<Record<ShownMetric, number>>;
}

export interface SummedPoints extends ShownPoints {
  readonly points: readonly SummedPoint[];
  /** Which points are on the front of few tokens sent against many kept, over all recordings. */
  readonly front: readonly boolean[];
  readonly recordings: number;
}

/** The points of one sweep over several recordings, summed up. @param rows of every recording, its points in one order */
export function summedPoints(vary: readonly VaryRange[], rows: readonly (readonly SweepRow[])[]): SummedPoints {
  const points = (rows[0] ?? []).map(({ set }, at) => ({ set, figures: summed(rows.flatMap((of) => of[at] ?? [])) }));
  const front = paretoFront(points.map(({ figures }) => ({ low: figures.tokensSent, high: figures.keptTokens })));
  return { vary, points, front, recordings: rows.length };
}

function summed(rows: readonly SweepRow[]): SummedPoint["figures"] {
  const sum = (figureOf: (row: SweepRow) => number) => rows.reduce((total, row) => total + figureOf(row), 0);
  return {
    tokensSent: sum(({ totals }) => totals.tokensSent),
    keptTokens: Math.round(sum(({ keptTokens }) => keptTokens) / Math.max(1, rows.length)),
    compactions: sum(({ compactions }) => compactions),
    peak: rows.reduce((most, { totals }) => Math.max(most, totals.peak), 0),
    tokensRewritten: sum(({ totals }) => totals.tokensRewritten),
    summaryCallTokens: sum(({ totals }) => totals.summaryCallTokens),
    requestsOverWindow: sum(({ totals }) => totals.requestsOverWindow),
  };
}
