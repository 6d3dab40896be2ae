import { rangeValues, type VaryRange } from "@/lib/core/metrics/grid";

/** Steps of the colour ramp. */
export const RAMP_STEPS = 6;

/** Least and greatest value; absent where no point has a value. */
export type Extent = readonly [low: number, high: number] | undefined;

/** Least and greatest of the values, ignoring the points without one. */
export function extent(values: readonly (number | null)[]): Extent {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value === null) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low > high ? undefined : [low, high];
}

/** A value's step of the ramp, from 1 (light) to 6 (dark); always 1 where all values are equal; `undefined` where there is no value. */
export function rampStep(value: number | null, range: Extent): number | undefined {
  if (value === null || range === undefined) return undefined;
  const [low, high] = range;
  if (high === low) return 1;
  return Math.min(RAMP_STEPS, 1 + Math.floor(((value - low) / (high - low)) * RAMP_STEPS));
}

/** The layout of a map: rows from the greatest value of the second setting down, columns from the least value of the first setting on. */
export interface MapGrid {
  readonly across: readonly number[];
  readonly up: readonly number[];
  /** A point's position among the sweep's points. */
  readonly index: (row: number, column: number) => number;
}

/** The grid of two ranges; in the order of the points the first range varies slowest. */
export function mapGrid(first: VaryRange, second: VaryRange): MapGrid {
  const across = rangeValues(first);
  const up = rangeValues(second);
  return { across, up: up.toReversed(), index: (row, column) => column * up.length + (up.length - 1 - row) };
}
