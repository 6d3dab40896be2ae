import { OVERHEAD_COUNT } from "../base/categories";
import type { ItemIndex, RequestIndex, Tokens } from "../base/units";
import type { MeasuredContext } from "./measured-context";

/** An item of a context and its tokens there. */
export interface WeighedItem {
  readonly item: ItemIndex;
  /** Category code. */
  readonly category: number;
  readonly tokens: Tokens;
}

/** All items of the messages in a context at a request, without the overhead. Items that compactions added are included. Linear in the items. */
export function itemsAt({ stays, factor }: MeasuredContext, request: RequestIndex): readonly WeighedItem[] {
  const found: WeighedItem[] = [];
  stays((item, category, tokens, from, to) => {
    if (from > request || request >= to || category < OVERHEAD_COUNT) return;
    found.push({ item, category, tokens: Math.round(tokens * factor(category, request)) });
  });
  return found;
}

/**
 * The recorded items of the messages with any tokens at a request, largest first.
 * @param count maximum number of items
 */
export function heaviestItems(
  context: MeasuredContext,
  request: RequestIndex,
  count = Number.POSITIVE_INFINITY,
): readonly WeighedItem[] {
  return itemsAt(context, request)
    .filter(({ item, tokens }) => item < context.columns.length && tokens > 0)
    .sort(heaviestFirst)
    .slice(0, count);
}

function heaviestFirst(a: WeighedItem, b: WeighedItem): number {
  return b.tokens - a.tokens || a.item - b.item;
}

/** Difference of two contexts by item: items only in the second, items only in the first, and the change in size of the rest. */
export interface ItemChanges {
  /** Largest first. */
  readonly came: readonly WeighedItem[];
  readonly went: readonly WeighedItem[];
  /** Tokens by which the items in both grew or shrank together: a clearing, a truncation, another calibration. */
  readonly resized: Tokens;
}

/** Changes that turn the items of one context into those of another. */
export function itemChanges(before: readonly WeighedItem[], after: readonly WeighedItem[]): ItemChanges {
  const earlier = new Map(before.map((one) => [one.item, one.tokens]));
  const came: WeighedItem[] = [];
  let resized = 0;
  for (const one of after) {
    const tokens = earlier.get(one.item);
    if (tokens === undefined) came.push(one);
    else resized += one.tokens - tokens;
    earlier.delete(one.item);
  }
  const went = before.filter(({ item }) => earlier.has(item));
  return { came: came.sort(heaviestFirst), went: went.sort(heaviestFirst), resized };
}
