import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { ORIGIN, ROLE } from "@/lib/core/columns/columns";
import type { Compaction, ContextView, PolicyPlan, PolicyRun } from "@/lib/core/compaction/policy";
import { numberSetting, optionalNumberSetting } from "@/lib/core/compaction/settings/settings";
import { tokensOfBytes } from "../constants";
import { RETAINED_LOCALLY } from "./measures";
import type { Release } from "./release";
import { type Replacement, replaced, summarySize } from "./replaced";
import { earlierReasoning, lastTotal } from "./usage";

/** The release of 30 January 2026: a configured limit is taken as it is, and only the server's figures are compared. */
export const release202601: Release = {
  threshold: ({ settings }) => optionalNumberSetting(settings, "autoCompactLimit") ?? undefined,
  begin: (plan) => new ReleaseRun(plan),
};

class ReleaseRun implements PolicyRun {
  readonly #limit: Tokens;
  readonly #replacement: Replacement;

  constructor({ settings }: PolicyPlan) {
    this.#limit = optionalNumberSetting(settings, "autoCompactLimit") ?? Number.POSITIVE_INFINITY;
    const budget = numberSetting(settings, "userMessageTokens");
    this.#replacement = {
      selection: { remote: false, withIds: false, budget, bit: RETAINED_LOCALLY },
      summaryTokens: summarySize(settings),
      failSummary: settings.failSummary,
    };
  }

  before(view: ContextView): Compaction | undefined {
    return releaseUsage(view) >= this.#limit ? this.compact(view) : undefined;
  }

  compact(view: ContextView): Compaction {
    return replaced(view, this.#replacement);
  }
}

/** What the release compares: the last response's total, plus the reasoning that the server did not count, rounded once as a sum. */
export function releaseUsage(view: ContextView): Tokens {
  return lastTotal(view) + tokensOfBytes(earlierReasoning(view, isUserMessage).bytes);
}

/** Whether it is a message with the user's role: typed, context, or a summary, but not a tool's output. */
function isUserMessage({ columns }: ContextView, item: ItemIndex): boolean {
  return item >= columns.length || (columns.role[item] === ROLE.user && columns.origin[item] !== ORIGIN.tool);
}
