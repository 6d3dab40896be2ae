import { frontPoints } from "@/lib/core/figures/front-points";
import type { Spent } from "@/lib/core/figures/registry";
import type { FigureBands, SweptFigures } from "@/lib/core/figures/values";
import type { SweepSet } from "@/lib/core/metrics/grid";

/** A point with its figures, of one recording or summed over several. */
export interface TablePoint {
  readonly set: SweepSet;
  readonly figures: SweptFigures;
  readonly bands: FigureBands;
}

/** Points, and which of them are on the Pareto front. */
export interface TablePoints {
  readonly points: readonly TablePoint[];
  readonly front: readonly boolean[];
  /** What the front weighs against the tokens kept; tokens where absent. */
  readonly spent?: Spent;
}

/** A row of the table. */
export interface TableRow {
  readonly point: TablePoint;
  /** Position among the sweep's points. */
  readonly index: number;
  /** How many further points send and keep the same; 0 where all points are listed. */
  readonly equal: number;
}

/** All points in their order, or only those on the front. */
export function tableRows({ points, front, spent }: TablePoints, all: boolean): readonly TableRow[] {
  if (all) return points.map((point, index) => ({ point, index, equal: 0 }));
  const figures = points.map((point) => point.figures);
  return frontPoints(figures, front, spent).flatMap(({ index, equal }) => {
    const point = points[index];
    return point === undefined ? [] : [{ point, index, equal }];
  });
}
