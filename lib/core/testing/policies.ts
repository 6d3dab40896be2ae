import { nonePolicy } from "../compaction/policies/none";
import type { Compaction, ContextView, Policy, SyntheticItem } from "../compaction/policy/policy";

/** A policy that answers with a function, whatever its settings. */
export function policyOf(before: (view: ContextView) => Compaction | undefined): Policy {
  return { ...nonePolicy, begin: () => ({ before }) };
}

/** A policy that answers as another one, and reports its views and answers. */
export function listeningPolicy(
  policy: Policy,
  listener: {
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
          listener.asked?.(view);
          const compaction = run.before(view);
          if (compaction !== undefined) listener.answered?.(compaction, view);
          return compaction;
        },
      };
    },
  };
}

/** A policy that answers as another one, except for the labels of the added items. @param label gives the next label */
export function relabelled(policy: Policy, label: () => string): Policy {
  return {
    ...policy,
    begin: (plan) => {
      const run = policy.begin(plan);
      return {
        before: (view) => {
          const compaction = run.before(view);
          if (compaction === undefined) return undefined;
          // All other properties of an item stay the policy's own and may be computed on first read, so they are inherited, not copied.
          const added = compaction.added.map(
            (item): SyntheticItem => Object.create(item, { label: { value: label() } }),
          );
          return { ...compaction, added };
        },
      };
    },
  };
}

/** An item that a compaction adds, for tests that only care about its size. */
export function addedItem(tokens: number, more: Partial<SyntheticItem> = {}): SyntheticItem {
  return { kind: "summary", name: "summary", category: "summaries", tokens, label: "summary", ...more };
}
