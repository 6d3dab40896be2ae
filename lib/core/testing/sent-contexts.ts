import type { ItemIndex, RequestIndex, Tokens } from "../base/units";
import type { ContextView, Policy, Retention } from "../compaction/policy/policy";
import { itemsAt } from "../compaction/simulation/positions";
import { listeningPolicy } from "./policies";

/** An item as it was sent. */
export type SentItem = readonly [item: ItemIndex, tokens: Tokens];

/** A policy that answers as another one, and plain lists of the items that every request under it sent, for comparing. */
export function watched(policy: Policy): { readonly policy: Policy; readonly sent: SentItem[][] } {
  const sent: SentItem[][] = [];
  let added = 0;
  const seen = listeningPolicy(policy, {
    asked: (view) => {
      sent[view.request] = itemsAt(view, [[0, view.items.length]]).map((item) => [item, view.tokensOf(item)]);
    },
    answered: (compaction, view) => {
      sent[view.request] = retained(view, compaction, view.columns.length + added);
      added += compaction.added.length;
    },
  });
  return { policy: seen, sent };
}

function retained(view: ContextView, retention: Retention, nextItem: ItemIndex): SentItem[] {
  const sizes = new Map([...retention.truncated, ...retention.cleared]);
  const kept = itemsAt(view, retention.kept).map((item): SentItem => [item, sizes.get(item) ?? view.tokensOf(item)]);
  const added = retention.added.map(({ tokens }, index): SentItem => [nextItem + index, tokens]);
  const place = retention.addedAt === "front" ? 0 : kept.length - (retention.entering ?? 0);
  return kept.toSpliced(place, 0, ...added);
}

/** Uncached tokens of a request: everything after the longest common prefix of two lists, without new items. */
function uncachedBetween(
  before: readonly SentItem[],
  after: readonly SentItem[],
  isNew: (item: ItemIndex) => boolean,
): Tokens {
  let shared = 0;
  while (shared < before.length && isSame(before[shared], after[shared])) shared += 1;
  if (shared === before.length) return 0;
  return after.slice(shared).reduce((sum, [item, tokens]) => sum + (isNew(item) ? 0 : tokens), 0);
}

/**
 * Uncached tokens of every request.
 * @param isNew true if an item enters with a request
 */
export function uncachedAt(
  sent: readonly (readonly SentItem[])[],
  isNew: (item: ItemIndex, request: RequestIndex) => boolean,
): readonly Tokens[] {
  return sent.map((list, request) => uncachedBetween(sent[request - 1] ?? [], list, (item) => isNew(item, request)));
}

/**
 * Tokens that every request shares with the one before it: their longest common prefix.
 * @param overhead tokens in front of all items
 */
export function sharedAt(sent: readonly (readonly SentItem[])[], overhead: Tokens): readonly Tokens[] {
  return sent.map((list, request) => {
    const before = sent[request - 1];
    if (before === undefined) return 0;
    let shared = 0;
    while (shared < before.length && isSame(before[shared], list[shared])) shared += 1;
    return list.slice(0, shared).reduce((sum, [, tokens]) => sum + tokens, overhead);
  });
}

function isSame(one: SentItem | undefined, other: SentItem | undefined): boolean {
  return one?.[0] === other?.[0] && one?.[1] === other?.[1];
}
