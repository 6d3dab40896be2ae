import { assert } from "../base/assert";
import type { ItemIndex, Tokens } from "../base/units";
import { KINDS } from "../columns/columns";
import { type ItemMarks, marksOf } from "./marks";
import type { ContextView, Retention, SyntheticItem } from "./policy";

const RESULT = KINDS.indexOf("tool_result");

/**
 * Asserts what holds of every retention, whatever the policy: kept items are in the context and in its order, none twice
 * (nothing dropped comes back), no result is kept without its call, changed items are kept ones, sizes are not negative.
 */
export function assertRetention(view: ContextView, retention: Retention): void {
  let position = -1;
  for (const item of retention.kept) {
    position = positionFrom(view, item, position + 1);
    assert(position < view.items.length, `kept item ${item} to be in the context, in its order`);
  }
  const kept = marksOf(view.columns, retention.kept);
  assertChangesKept(view, retention, kept);
  assertCallsKept(view, retention.kept, kept);
  for (const added of retention.added) assert(added.tokens >= 0, `a size of at least 0 for ${added.label}`);
}

function positionFrom(view: ContextView, item: ItemIndex, from: number): number {
  let position = from;
  while (position < view.items.length && view.items.at(position) !== item) position += 1;
  return position;
}

function assertChangesKept(view: ContextView, retention: Retention, kept: ItemMarks): void {
  for (const changes of [retention.truncated, retention.cleared]) {
    for (const [item, tokens] of changes) {
      const isKept = item < view.columns.length ? kept.has(item) : retention.kept.includes(item);
      assert(isKept, `changed item ${item} to be kept`);
      assert(tokens >= 0, `a size of at least 0 for item ${item}`);
    }
  }
}

/** A result needs its call where the call was in the context; a recording may hold results whose call it never had. */
function assertCallsKept(view: ContextView, items: readonly ItemIndex[], kept: ItemMarks): void {
  const { kind, pair } = view.columns;
  const orphans = items.filter(
    (item) => kind[item] === RESULT && (pair[item] ?? -1) >= 0 && !kept.has(pair[item] ?? -1),
  );
  if (orphans.length === 0) return;
  const present = marksOf(view.columns, itemsFrom(view, 0));
  const broken = orphans.find((item) => present.has(pair[item] ?? -1));
  assert(broken === undefined, `the call of kept result ${broken} to be kept`);
}

/** The context's items from a position on. */
export function itemsFrom(view: ContextView, from: number): ItemIndex[] {
  const items: ItemIndex[] = [];
  for (let position = from; position < view.items.length; position++) items.push(view.items.at(position));
  return items;
}

/** The outcome of a summary call that failed and left the history as it is. */
export function unchanged(
  view: ContextView,
  outcome: "failed" | "blocked" | "skipped",
  callTokens: Tokens = 0,
): Retention {
  return {
    kept: itemsFrom(view, 0),
    truncated: [],
    cleared: [],
    added: [],
    addedAt: "back",
    outcome,
    summaryTokens: 0,
    summaryCallTokens: callTokens,
  };
}

/** A summary as an item of the context. */
export function summaryItem(tokens: Tokens): SyntheticItem {
  return { category: "summaries", tokens, label: "summary" };
}
