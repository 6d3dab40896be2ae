import { assert } from "../base/assert";
import type { ItemIndex, Tokens } from "../base/units";
import { KINDS } from "../columns/columns";
import type { ContextView, Retention, SyntheticItem } from "./policy";

const RESULT = KINDS.indexOf("tool_result");

/**
 * Asserts what holds of every retention, whatever the policy: kept items are in the context and in its order, none twice
 * (nothing dropped comes back), no result is kept without its call, changed items are kept ones, sizes are not negative.
 */
export function assertRetention(view: ContextView, retention: Retention): void {
  const positions = positionsOf(view);
  let last = -1;
  for (const item of retention.kept) {
    const position = positions.get(item);
    assert(position !== undefined, `kept item ${item} to be in the context`);
    assert(position > last, `kept items in context order at item ${item}`);
    last = position;
  }
  const kept = new Set(retention.kept);
  for (const item of retention.kept) assertCallKept(view, kept, positions, item);
  for (const [item, tokens] of [...retention.truncated, ...retention.cleared]) {
    assert(kept.has(item), `changed item ${item} to be kept`);
    assert(tokens >= 0, `a size of at least 0 for item ${item}`);
  }
  for (const added of retention.added) assert(added.tokens >= 0, `a size of at least 0 for ${added.label}`);
}

function positionsOf(view: ContextView): ReadonlyMap<ItemIndex, number> {
  const positions = new Map<ItemIndex, number>();
  for (let position = 0; position < view.items.length; position++) positions.set(view.items.at(position), position);
  return positions;
}

/** A result needs its call where the call was in the context; a recording may hold results whose call it never had. */
function assertCallKept(
  view: ContextView,
  kept: ReadonlySet<ItemIndex>,
  positions: ReadonlyMap<ItemIndex, number>,
  item: ItemIndex,
): void {
  const { kind, pair } = view.columns;
  if (kind[item] !== RESULT) return;
  const call = pair[item] ?? -1;
  if (call >= 0 && positions.has(call)) assert(kept.has(call), `the call of kept result ${item} to be kept`);
}

/** Everything stays: for outcomes that change nothing. */
export function keepEverything(view: ContextView): readonly ItemIndex[] {
  return Array.from({ length: view.items.length }, (_, position) => view.items.at(position));
}

/** The outcome of a summary call that failed and left the history as it is. */
export function unchanged(
  view: ContextView,
  outcome: "failed" | "blocked" | "skipped",
  callTokens: Tokens = 0,
): Retention {
  return {
    kept: keepEverything(view),
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
