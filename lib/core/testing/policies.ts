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

/** An item that a compaction adds, for tests that care for its size alone. */
export function addedItem(tokens: number, more: Partial<SyntheticItem> = {}): SyntheticItem {
  return { kind: "summary", name: "summary", category: "summaries", tokens, label: "summary", ...more };
}
