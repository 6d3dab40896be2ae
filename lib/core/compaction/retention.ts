import type { ItemIndex, Tokens } from "../base/units";
import type { ContextView, Outcome, Retention, SyntheticItem } from "./policy/policy";
import { everything } from "./simulation/positions";

/** Items of the context from a position on. */
export function itemsFrom(view: ContextView, from: number): ItemIndex[] {
  const items: ItemIndex[] = [];
  for (let position = from; position < view.items.length; position++) items.push(view.items.at(position));
  return items;
}

const NOTHING: readonly never[] = [];

// Retentions are made before many requests. Their properties are named one by one: a spread would make every later property slow to access.

/** Changes that a compaction may make to items without dropping any. */
type Changes = Partial<Pick<Retention, "truncated" | "cleared" | "added" | "summaryCallTokens" | "transient">>;

/** Retention that keeps every item; only the named properties change anything. */
export function keepingAll(
  view: ContextView,
  outcome: Outcome,
  { truncated = NOTHING, cleared = NOTHING, added = NOTHING, summaryCallTokens = 0, transient = false }: Changes = {},
): Retention {
  return {
    kept: everything(view),
    truncated,
    cleared,
    added,
    addedAt: "back",
    outcome,
    summaryTokens: 0,
    summaryCallTokens,
    transient,
  };
}

/** Retention after a summary call that failed, or was not made: the history is unchanged. */
export function unchanged(
  view: ContextView,
  outcome: "failed" | "blocked" | "skipped",
  summaryCallTokens: Tokens = 0,
): Retention {
  return keepingAll(view, outcome, { summaryCallTokens });
}

/** Retention that keeps everything, but some items as placeholders. */
export function clearing(view: ContextView, cleared: Retention["cleared"]): Retention {
  return keepingAll(view, "clear", { cleared });
}

/** Required properties of a compaction with a summary; all others have a default. */
type Summarised = Pick<Retention, "kept" | "added" | "summaryTokens" | "summaryCallTokens"> & Partial<Retention>;

/** Retention with a summary, by default in front of the kept items. It shortens or clears only the items that the caller names. */
export function bySummary({
  kept,
  added,
  summaryTokens,
  summaryCallTokens,
  truncated = NOTHING,
  cleared = NOTHING,
  addedAt = "front",
  entering = 0,
  outcome = "summary",
  figures: metrics,
  limits,
  unsent,
}: Summarised): Retention {
  const retention = { kept, truncated, cleared, added, addedAt, entering, outcome, summaryTokens, summaryCallTokens };
  if (metrics === undefined && limits === undefined && unsent === undefined) return retention;
  return { ...retention, ...(metrics && { figures: metrics }), ...(limits && { limits }), ...(unsent && { unsent }) };
}

/**
 * Tokens of a summary call. The sent history may count zero: items may have size 0, and a recorded context may be smaller than the counted items that
 * entered since. Such a call counts one token.
 */
export function callSize(tokens: Tokens): Tokens {
  return Math.max(1, tokens);
}

/** A summary as an item of the context. */
export function summaryItem(tokens: Tokens): SyntheticItem {
  return { kind: "summary", name: "summary", category: "summaries", tokens, label: "summary" };
}

/** Context that a compaction leaves, overhead included, and the size of its unchanged beginning. */
export function leftBy(view: ContextView, { kept, truncated, cleared, added, addedAt }: Retention) {
  const resized = new Map([...truncated, ...cleared]);
  const items = view.items.list();
  let tokens: Tokens = view.overhead + added.reduce((sum, item) => sum + item.tokens, 0);
  let unchanged: Tokens = view.overhead;
  let isUnchanged = added.length === 0 || addedAt === "back";
  for (const [from, to] of kept) {
    if (from > 0) isUnchanged = false;
    for (let position = from; position < to; position++) {
      const item = items[position] ?? 0;
      const size = resized.get(item);
      if (size !== undefined) isUnchanged = false;
      const now = size ?? view.tokensOf(item);
      tokens += now;
      if (isUnchanged) unchanged += now;
    }
  }
  return { tokens, unchanged };
}
