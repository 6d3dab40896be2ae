import type { ItemIndex, Tokens } from "../base/units";
import { FLAG, KINDS, ORIGINS } from "../columns/columns";
import { marksOf } from "./marks";
import type { ContextView } from "./policy";

const RESULT = KINDS.indexOf("tool_result");
const TYPED = ORIGINS.indexOf("typed");

/**
 * First position of the newest stretch of whole messages within a budget: the position count of the context where not
 * even the last message fits.
 */
export function recentFrom(view: ContextView, budget: Tokens, messages: number): number {
  const { items, columns } = view;
  let tokens = 0;
  let seen = 0;
  let from = items.length;
  for (let position = items.length - 1; position >= 0; position--) {
    const item = items.at(position);
    tokens += view.tokensOf(item);
    if (item >= columns.length) break;
    if (((columns.flags[item] ?? 0) & FLAG.MESSAGE_START) === 0) continue;
    seen += 1;
    if (tokens > budget && seen > messages) break;
    from = position;
  }
  return from;
}

/** The items less the results whose call is not among them; a result of no known call stays. */
export function withoutOrphanResults(view: ContextView, kept: readonly ItemIndex[]): readonly ItemIndex[] {
  const { kind, pair } = view.columns;
  if (!kept.some((item) => kind[item] === RESULT)) return kept;
  const marks = marksOf(view.columns, kept);
  return kept.filter((item) => {
    const call = kind[item] === RESULT ? (pair[item] ?? -1) : -1;
    return call < 0 || marks.has(call);
  });
}

/**
 * Typed messages before a position, newest first within a budget; the one that does not fit is truncated to what is left
 * and ends the search. In context order.
 */
export function recentTyped(
  view: ContextView,
  before: number,
  budget: Tokens,
): { readonly kept: readonly ItemIndex[]; readonly truncated: readonly (readonly [ItemIndex, Tokens])[] } {
  const kept: ItemIndex[] = [];
  let left = budget;
  for (let position = before - 1; position >= 0 && left > 0; position--) {
    const item = view.items.at(position);
    if (view.columns.origin[item] !== TYPED) continue;
    kept.unshift(item);
    const tokens = view.tokensOf(item);
    if (tokens > left) return { kept, truncated: [[item, left]] };
    left -= tokens;
  }
  return { kept, truncated: [] };
}

/** Uncleared tool results that were first sent more than `requests` requests ago. */
export function oldResults(view: ContextView, requests: number, cleared: Tokens): readonly ItemIndex[] {
  const limit = view.columns.requests.firstItem[view.request - requests] ?? 0;
  const old: ItemIndex[] = [];
  for (let position = 0; position < view.items.length; position++) {
    const item = view.items.at(position);
    if (item < view.columns.length && item >= limit) break;
    if (view.columns.kind[item] === RESULT && view.tokensOf(item) > cleared) old.push(item);
  }
  return old;
}
