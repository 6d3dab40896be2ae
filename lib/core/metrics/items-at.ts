import type { ItemIndex, RequestIndex, Tokens } from "../base/units";
import { OVERHEAD_COUNT } from "../context/categories";
import type { MeasuredContext } from "./measured-context";

/** An item of a context and how much of it the item takes. */
export interface WeighedItem {
  readonly item: ItemIndex;
  /** Category code. */
  readonly category: number;
  readonly tokens: Tokens;
}

/**
 * The recorded items of the messages that take at least a given number of tokens at a request, largest first. What compactions added and the overhead
 * are not among them. Linear in the items.
 * @param least the fewest tokens of an item that is listed
 * @param count the most items to list
 */
export function heaviestItems(
  { columns, stays, factor }: MeasuredContext,
  request: RequestIndex,
  least: Tokens,
  count: number,
): readonly WeighedItem[] {
  const found: WeighedItem[] = [];
  stays((item, category, tokens, from, to) => {
    if (from > request || request >= to || category < OVERHEAD_COUNT || item >= columns.length) return;
    const weight = Math.round(tokens * factor(category, request));
    if (weight >= least && weight > 0) found.push({ item, category, tokens: weight });
  });
  return found.sort((a, b) => b.tokens - a.tokens || a.item - b.item).slice(0, count);
}
