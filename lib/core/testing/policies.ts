import { nonePolicy } from "../compaction/none";
import type { Compaction, ContextView, Policy, SyntheticItem } from "../compaction/policy";

/** A policy that answers as a function does, whatever is set. */
export function policyOf(before: (view: ContextView) => Compaction | undefined): Policy {
  return { ...nonePolicy, begin: () => ({ before }) };
}

/** A policy that answers as another one, and tells what it was shown and what it answered. */
export function overheard(
  policy: Policy,
  told: {
    readonly asked?: (view: ContextView) => void;
    readonly answered?: (compaction: Compaction, view: ContextView) => void;
  },
): Policy {
  return {
    ...policy,
    begin: (plan) => {
      const run = policy.begin(plan);
      return {
        before: (view) => {
          told.asked?.(view);
          const compaction = run.before(view);
          if (compaction !== undefined) told.answered?.(compaction, view);
          return compaction;
        },
      };
    },
  };
}

/** A policy that answers as another one, but for what a person is told that the added items are. @param label the next one */
export function relabelled(policy: Policy, label: () => string): Policy {
  return {
    ...policy,
    begin: (plan) => {
      const run = policy.begin(plan);
      return {
        before: (view) => {
          const compaction = run.before(view);
          if (compaction === undefined) return undefined;
          // What an item has beside its label is the policy's own, put together when it is read.
          const added = compaction.added.map(
            (item): SyntheticItem => Object.create(item, { label: { value: label() } }),
          );
          return { ...compaction, added };
        },
      };
    },
  };
}

/** An item that a compaction adds, for tests that care for its size alone. */
export function addedItem(tokens: number, more: Partial<SyntheticItem> = {}): SyntheticItem {
  return { kind: "summary", name: "summary", category: "summaries", tokens, label: "summary", ...more };
}
