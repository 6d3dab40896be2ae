import type { MicroDollars } from "../cost/money";
import type { InputPrices } from "./input-prices";
import type { MeasuredContext } from "./measured-context";

/** Size and cost of every item over all requests of a session, by row. */
export interface ItemCosts {
  /** Tokens × requests that sent them. */
  readonly residency: Float64Array;
  /** Micro-dollars (`InputPrices`); absent if unknown. */
  readonly cost: Float64Array | undefined;
}

/** Linear in items. @param prices cost of the context's tokens at every request, if known */
export function itemCosts({ columns, stays, factorSum }: MeasuredContext, prices?: InputPrices): ItemCosts {
  const residency = new Float64Array(columns.length);
  const cost = prices && new Float64Array(columns.length);
  let last = -1;
  stays((item, category, tokens, from, to) => {
    if (item >= columns.length) return;
    residency[item] = (residency[item] ?? 0) + tokens * factorSum(category, from, to);
    if (cost !== undefined && prices !== undefined)
      cost[item] = (cost[item] ?? 0) + prices.stay(category, tokens, from, to, item !== last);
    last = item;
  });
  return { residency, cost };
}

/** Sums of the items of one group. */
export interface ItemSum {
  readonly residency: number;
  readonly cost: MicroDollars | undefined;
}

/** Adds up some items. */
export function sumOfItems({ residency, cost }: ItemCosts, items: readonly number[]): ItemSum {
  const sum = (column: Float64Array) => items.reduce((all, item) => all + (column[item] ?? 0), 0);
  return { residency: sum(residency), cost: cost && sum(cost) };
}
