import type { SweepSet, VaryRange } from "@/lib/core/analysis/grid";
import { frontPoints } from "@/lib/core/metrics/front-points";
import { type Spent, TRADE_OFFS } from "@/lib/core/metrics/registry";
import type { MetricBands, SweptMetrics } from "@/lib/core/metrics/values";

/** A point with its metrics, of one recording or summed over several. */
export interface ShownPoint {
  readonly set: SweepSet;
  readonly metrics: SweptMetrics;
  readonly bands: MetricBands;
}

/** Points for the map, the charts and the table. */
export interface ShownPoints {
  readonly points: readonly ShownPoint[];
  /** For each point, true if it is on the Pareto front. */
  readonly front: readonly boolean[];
  /** Metric that the front compares with the tokens kept; tokens if absent. */
  readonly spent?: Spent;
  readonly vary: readonly VaryRange[];
}

/** True if some point is not on the front. If all are, marking the front shows nothing. */
export function hasChoice({ front }: Pick<ShownPoints, "front">): boolean {
  return front.includes(false);
}

export interface PointRow {
  readonly point: ShownPoint;
  /** Index among the sweep's points. */
  readonly index: number;
  /** Number of further points with the same tokens sent and kept; 0 if all points are listed. */
  readonly equal: number;
}

/** All points in their order, or only those on the front, followed by the point of the user's own settings. */
export function tableRows(
  result: Omit<ShownPoints, "vary">,
  all: boolean,
  isOwn: (point: ShownPoint) => boolean = () => false,
): readonly PointRow[] {
  const rows = result.points.map((point, index) => ({ point, index, equal: 0 }));
  if (all) return rows;
  const onFront = frontRows(result);
  return [
    ...onFront,
    ...rows.filter(({ point, index }) => isOwn(point) && !onFront.some((row) => row.index === index)),
  ];
}

function frontRows({ points, front, spent }: Omit<ShownPoints, "vary">): readonly PointRow[] {
  const metrics = points.map((point) => point.metrics);
  return frontPoints(metrics, front, spent).flatMap(({ index, equal }) => {
    const point = points[index];
    return point === undefined ? [] : [{ point, index, equal }];
  });
}

/** A point in the chart of spent against kept. */
interface ParetoDot {
  /** Index among the sweep's points. */
  readonly index: number;
  readonly x: number;
  readonly y: number;
}

/** A dot for every point that has both metrics; the other points are not drawn. */
export function paretoDots(points: readonly Pick<ShownPoint, "metrics">[], spent: Spent): readonly ParetoDot[] {
  const [across, up] = TRADE_OFFS[spent];
  return points.flatMap(({ metrics }, index) => {
    const [x, y] = [metrics[across], metrics[up]];
    return x === null || y === null ? [] : [{ index, x, y }];
  });
}

/** Reason for a front without choice: no point compacts, or every compaction keeps the same. */
type Alike = { readonly kind: "noneCompacts" } | { readonly kind: "sameKept"; readonly tokens: number };

/** Reason for a front of one point: all points keep the same number of tokens, or none compacts. `undefined` if they differ. */
export function allAlike(
  points: readonly { readonly metrics: Pick<SweptMetrics, "keptTokens" | "compactions"> }[],
): Alike | undefined {
  const [first, ...others] = points;
  if (first === undefined || others.length === 0) return undefined;
  if (points.every(({ metrics }) => metrics.compactions === 0)) return { kind: "noneCompacts" };
  const tokens = first.metrics.keptTokens;
  if (tokens === null) return undefined;
  return others.every(({ metrics }) => metrics.keptTokens === tokens) ? { kind: "sameKept", tokens } : undefined;
}
