import type { SweepSet } from "@/lib/core/metrics/grid";
import type { ShownMetric } from "./vary-param";

/** A point with its figures: of one recording, or of several together. */
export interface TablePoint {
  readonly set: SweepSet;
  readonly figures: Readonly<Record<ShownMetric, number | null>>;
}

/** Points, and which of them are on the Pareto front. */
export interface TablePoints {
  readonly points: readonly TablePoint[];
  readonly front: readonly boolean[];
}

/** A line of the table. */
export interface TableRow {
  readonly point: TablePoint;
  /** Place among the sweep's points. */
  readonly index: number;
  /** Further points that send and keep the same; 0 where all points are listed. */
  readonly equal: number;
}

/**
 * All points in their order, or those on the front from the fewest tokens sent to the most kept: of points that come to
 * the same only the first.
 */
export function tableRows({ points, front }: TablePoints, all: boolean): readonly TableRow[] {
  if (all) return points.map((point, index) => ({ point, index, equal: 0 }));
  const groups = new Map<string, TableRow>();
  points.forEach((point, index) => {
    if (front[index] !== true) return;
    const key = `${point.figures.tokensSent} ${point.figures.keptTokens}`;
    const known = groups.get(key);
    groups.set(key, known === undefined ? { point, index, equal: 0 } : { ...known, equal: known.equal + 1 });
  });
  return [...groups.values()].sort((a, b) => (a.point.figures.tokensSent ?? 0) - (b.point.figures.tokensSent ?? 0));
}
