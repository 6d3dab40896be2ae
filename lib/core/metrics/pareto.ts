import { type MetricKey, TRADE_OFF } from "./registry";
import { metricOf } from "./values";

/** Two metrics of a candidate: `low` should be low, `high` should be high. */
export interface Tradeoff {
  readonly low: number;
  readonly high: number;
}

/**
 * Marks the candidates on the Pareto front: no other is at least as good in both metrics and better in one. Candidates with the same two values are
 * on it together. Costs a sort.
 */
export function paretoFront(candidates: readonly Tradeoff[]): readonly boolean[] {
  const order = candidates.map((_, index) => index);
  const at = (index: number): Tradeoff => candidates[index] ?? { low: 0, high: 0 };
  order.sort((a, b) => at(a).low - at(b).low || at(b).high - at(a).high);
  const front = candidates.map(() => false);
  let last: Tradeoff | undefined;
  for (const index of order) {
    const one = at(index);
    const same = last !== undefined && one.low === last.low && one.high === last.high;
    if (!same && last !== undefined && one.high <= last.high) continue;
    front[index] = true;
    last = one;
  }
  return front;
}

/**
 * Marks the points on the front of two metrics, in the better direction of each. A point without both is not compared: it is not on the front, and it
 * keeps no other point off it.
 */
export function frontOf(
  points: readonly (readonly [number | null, number | null])[],
  [first, second]: readonly [MetricKey, MetricKey] = TRADE_OFF,
): readonly boolean[] {
  const sign = metricOf(first).better === "higher" ? -1 : 1;
  const otherSign = metricOf(second).better === "lower" ? -1 : 1;
  const known = points.flatMap(([one, other], index) =>
    one === null || other === null ? [] : [{ index, low: sign * one, high: otherSign * other }],
  );
  const onFront = paretoFront(known);
  const indices = new Set(known.flatMap(({ index }, at) => (onFront[at] === true ? [index] : [])));
  return points.map((_, index) => indices.has(index));
}
