import { rangeValues, type VaryRange } from "@/lib/core/metrics/grid";
import type { TablePoint } from "./table-rows";
import type { ShownMetric } from "./vary-param";

/** Steps of the colour ramp. */
export const RAMP_STEPS = 6;

/** A figure of a point. */
export function figureOf(point: TablePoint, metric: ShownMetric): number {
  return point.figures[metric] ?? 0;
}

/** Least and greatest value of a figure over the points. */
export function extent(points: readonly TablePoint[], metric: ShownMetric): readonly [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const point of points) {
    low = Math.min(low, figureOf(point, metric));
    high = Math.max(high, figureOf(point, metric));
  }
  return low > high ? [0, 0] : [low, high];
}

/** Step of the ramp for a value, 1 to 6, light to dark; everything is 1 where nothing differs. */
export function rampStep(value: number, [low, high]: readonly [number, number]): number {
  if (high === low) return 1;
  return Math.min(RAMP_STEPS, 1 + Math.floor(((value - low) / (high - low)) * RAMP_STEPS));
}

/** Points of a map: rows from the greatest value of the second setting down, columns from the least of the first up. */
export interface MapGrid {
  readonly across: readonly number[];
  readonly up: readonly number[];
  /** Place of a point among the sweep's. */
  readonly index: (row: number, column: number) => number;
}

/** The grid of two ranges, of which the first is outermost among the points. */
export function mapGrid(first: VaryRange, second: VaryRange): MapGrid {
  const across = rangeValues(first);
  const up = rangeValues(second);
  return { across, up: up.toReversed(), index: (row, column) => column * up.length + (up.length - 1 - row) };
}
