import { type Spent, TRADE_OFFS } from "./registry";
import type { SweptMetrics } from "./values";

interface FrontPoint {
  /** Index among all points. */
  readonly index: number;
  /** Number of further points with the same two values. */
  readonly equal: number;
}

/** The points on the front, from the least spent to the most kept; of points with the same values, the first. */
export function frontPoints(
  points: readonly SweptMetrics[],
  front: readonly boolean[],
  spent: Spent = "tokensSent",
): readonly FrontPoint[] {
  const groups = new Map<string, FrontPoint>();
  points.forEach((metrics, index) => {
    if (front[index] !== true) return;
    const key = TRADE_OFFS[spent].map((one) => metrics[one]).join(" ");
    const known = groups.get(key);
    groups.set(key, known === undefined ? { index, equal: 0 } : { ...known, equal: known.equal + 1 });
  });
  // A point without both metrics is on no front.
  const sent = ({ index }: FrontPoint) => points[index]?.[spent] ?? 0;
  return [...groups.values()].sort((a, b) => sent(a) - sent(b));
}
