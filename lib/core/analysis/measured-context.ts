import { ITEM_CATEGORIES } from "../base/categories";
import type { RequestIndex, Tokens } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import type { ContextSeries } from "../context/series";
import type { Stays } from "./stays";

/**
 * A context with its items scaled to its actual size at every request. An item's tokens are its estimate times a factor: the tokens of its category
 * at that request, divided by the estimate of all the category's items there. So the items sum to their categories, and with `unattributed` to the
 * context, if its size was recorded, calibrated or is the estimate itself (the factor is then 1).
 */
export interface MeasuredContext {
  readonly columns: SessionColumns;
  readonly series: ContextSeries;
  readonly stays: Stays;
  /** The factor of a category at a request. */
  factor(category: number, request: RequestIndex): number;
  /** Sum of the factors over the requests [from, to), up to the end of the series. Multiplied by an item's size, it is the item's residency. */
  factorSum(category: number, from: RequestIndex, to: RequestIndex): number;
  /** Tokens of a category without items, which come from a context profile, summed over the requests [from, to). */
  withoutItems(category: number, from: RequestIndex, to: RequestIndex): Tokens;
}

/**
 * Scales the items' sizes to those of the series. Linear in items and requests, and valid for every request.
 * @param stays the context's items, sized by any estimator
 * @param series the context's size at every request
 */
export function measuredContext(columns: SessionColumns, stays: Stays, series: ContextSeries): MeasuredContext {
  const points = series.context.length;
  const estimates = ITEM_CATEGORIES.map(() => new Float64Array(points + 1));
  stays((_item, category, tokens, from, to) => {
    const estimate = estimates[category];
    if (estimate === undefined || from >= points) return;
    estimate[from] = (estimate[from] ?? 0) + tokens;
    if (to < points) estimate[to] = (estimate[to] ?? 0) - tokens;
  });
  const sums = estimates.map((estimate, category) => categorySums(estimate, series.byCategory[category], points));
  const between = (column: Float64Array | undefined, from: RequestIndex, to: RequestIndex) =>
    to > from ? (column?.[Math.min(to, points)] ?? 0) - (column?.[Math.min(from, points)] ?? 0) : 0;
  return {
    columns,
    series,
    stays,
    factor: (category, request) => between(sums[category]?.factors, request, request + 1),
    factorSum: (category, from, to) => between(sums[category]?.factors, from, to),
    withoutItems: (category, from, to) => between(sums[category]?.withoutItems, from, to),
  };
}

/**
 * Running sums of a category before every request.
 * @param changes of the estimate, by request
 */
function categorySums(changes: Float64Array, actual: Int32Array | undefined, points: number) {
  const factors = new Float64Array(points + 1);
  const withoutItems = new Float64Array(points + 1);
  let estimate = 0;
  for (let point = 0; point < points; point++) {
    estimate += changes[point] ?? 0;
    const tokens = actual?.[point] ?? 0;
    factors[point + 1] = (factors[point] ?? 0) + (estimate > 0 ? tokens / estimate : 0);
    withoutItems[point + 1] = (withoutItems[point] ?? 0) + (estimate > 0 ? 0 : tokens);
  }
  return { factors, withoutItems };
}
