import type { Tokens } from "../../base/units";
import { summaryFails, summaryIsEmpty } from "../policy/common-settings";
import type { Compaction, ContextView, Policy, PolicyChosen, PolicyPlan, Retention } from "../policy/policy";
import { numberSetting } from "../policy/settings";
import { bySummary, callSize, summaryItem, unchanged } from "../retention";

/** Part of a history that a compaction keeps along with a summary, and the size of the summary call. */
export type Split = Pick<Retention, "kept" | "summaryCallTokens"> &
  Partial<Pick<Retention, "truncated" | "addedAt" | "entering">> & {
    /** Items that the agent adds after the summary. */
    readonly added?: Retention["added"];
  };

/** Rules of a policy that compares one size with one threshold, and then replaces everything but a kept part by a summary. */
interface ThresholdRules extends Omit<Policy, "begin"> {
  /** Smallest size that fires; `undefined` for never. */
  readonly threshold: (chosen: PolicyChosen) => Tokens | undefined;
  /** The size that is compared before a request; `undefined` if there is none yet. */
  readonly size: (view: ContextView) => Tokens | undefined;
  /** `undefined` if there is nothing to summarise. */
  readonly split: (view: ContextView, plan: PolicyPlan) => Split | undefined;
  /** True if an empty answer counts as a summary; by default it is a failure. */
  readonly takesEmptySummary?: true;
  /** Compaction without a summary, if the call failed, or (with `callTokens` 0) if nothing can be summarised; absent or `undefined` for none. */
  readonly fallback?: (view: ContextView, plan: PolicyPlan, callTokens: Tokens) => Compaction | undefined;
}

/** A policy from such rules. */
export function thresholdPolicy({ size, split, takesEmptySummary, fallback, ...policy }: ThresholdRules): Policy {
  return {
    ...policy,
    begin: (plan) => {
      const { settings } = plan;
      const threshold = policy.threshold(plan) ?? Number.POSITIVE_INFINITY;
      const isEmpty = summaryIsEmpty(settings.failSummary);
      const summaryTokens = isEmpty ? 0 : numberSetting(settings, "summaryTokens");
      const compact = (view: ContextView): Compaction | undefined => {
        const parts = split(view, plan);
        if (parts === undefined) return fallback?.(view, plan, 0);
        const { added = [], ...rest } = parts;
        const callTokens = callSize(parts.summaryCallTokens);
        if (summaryFails(settings.failSummary, view.summaryCalls) || (isEmpty && takesEmptySummary !== true))
          return fallback?.(view, plan, callTokens) ?? unchanged(view, "failed", callTokens);
        return bySummary({
          ...rest,
          summaryCallTokens: callTokens,
          added: [summaryItem(summaryTokens), ...added],
          summaryTokens,
        });
      };
      return { compact, before: (view) => ((size(view) ?? -1) >= threshold ? compact(view) : undefined) };
    },
  };
}
