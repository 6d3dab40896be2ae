import type { ItemIndex, Tokens } from "../base/units";
import type { ContextView, Retention, SyntheticItem } from "./policy";
import { everything } from "./positions";

/** The context's items from a position on. */
export function itemsFrom(view: ContextView, from: number): ItemIndex[] {
  const items: ItemIndex[] = [];
  for (let position = from; position < view.items.length; position++) items.push(view.items.at(position));
  return items;
}

const NOTHING: readonly never[] = [];

/** The outcome of a summary call that failed and left the history as it is. */
export function unchanged(
  view: ContextView,
  outcome: "failed" | "blocked" | "skipped",
  callTokens: Tokens = 0,
): Retention {
  return {
    kept: everything(view),
    truncated: NOTHING,
    cleared: NOTHING,
    added: NOTHING,
    addedAt: "back",
    outcome,
    summaryTokens: 0,
    summaryCallTokens: callTokens,
  };
}

/** What a summary of the rest leaves and takes. */
type Summarised = Pick<Retention, "kept" | "added" | "summaryTokens" | "summaryCallTokens"> & Partial<Retention>;

/** A summary in front of what stays; nothing is shortened or cleared but what is said. */
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
  figures,
}: Summarised): Retention {
  // Named one by one: a spread would make every property behind it a slow one, and this is made before many requests.
  const retention = { kept, truncated, cleared, added, addedAt, entering, outcome, summaryTokens, summaryCallTokens };
  return figures === undefined ? retention : { ...retention, figures };
}

/** Everything stays, some of it as a placeholder. */
export function clearing(view: ContextView, cleared: Retention["cleared"]): Retention {
  return {
    kept: everything(view),
    truncated: NOTHING,
    cleared,
    added: NOTHING,
    addedAt: "back",
    outcome: "clear",
    summaryTokens: 0,
    summaryCallTokens: 0,
  };
}

/** A summary as an item of the context. */
export function summaryItem(tokens: Tokens): SyntheticItem {
  return { kind: "summary", name: "summary", category: "summaries", tokens, label: "summary" };
}
