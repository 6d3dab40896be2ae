import type { Tokens } from "@/lib/core/base/units";
import type { Compaction, ContextView, PolicyChosen, PolicyPlan, Retention } from "@/lib/core/compaction/policy";
import { keepingAll, unchanged } from "@/lib/core/compaction/retention";
import { countBetween } from "@/lib/core/compaction/selection";
import { givesNoSummary } from "@/lib/core/compaction/settings/common-settings";
import { itemsAt } from "@/lib/core/compaction/simulation/positions";
import { budgetScale, CURRENT_BLOCK_BELOW_TOKENS, effectiveReserve, PRESSURE_MARGIN, promptRoute } from "../constants";
import { plannedMessages, runEnd, unitSums } from "./context-units";
import { currentCut } from "./cut";
import { failedAttempts } from "./failed-attempts";
import { pruning202696 } from "./pruning";
import { reducedResults } from "./reduced-results";
import { type Release, reserveOf } from "./release";
import { resultChars202696 } from "./result-chars";
import { OpenClawRun, type PlannedCut, type RunRule, summarised, usedBy } from "./run";
import { summaryPlan } from "./summary-calls";

/** Release 2026.9.6: it estimates before every prompt, and shortens results where that is enough. */
export const release202696: Release = {
  threshold: thresholdOf,
  // It shortens results before a prompt, whatever the setting of pruning.
  looksBack: () => true,
  results: resultChars202696,
  begin: (plan) => new Run202696(plan),
};

function thresholdOf(chosen: PolicyChosen): Tokens {
  return Math.max(1, chosen.window - effectiveReserve(chosen.window, reserveOf(chosen)));
}

export class Run202696 extends OpenClawRun {
  constructor(plan: PolicyPlan, rule: Partial<RunRule> = {}) {
    super(plan, {
      threshold: thresholdOf(plan),
      leastWindow: CURRENT_BLOCK_BELOW_TOKENS,
      pruning: pruning202696,
      ...rule,
    });
  }

  protected override tokensAbove(view: ContextView): Tokens {
    return usedBy(view) + addedPressure(view) - this.threshold;
  }

  /** Whether shortening results is enough, or follows a compaction, or does not help. */
  protected override fitted(view: ContextView, above: Tokens): Compaction | undefined {
    const reduced = reducedResults(view, this.settings, view.items.results());
    const route = promptRoute(above, reduced.chars);
    if (route === "truncate_tool_results_only" && reduced.truncated.length > 0) {
      return keepingAll(view, "trim", { truncated: reduced.truncated });
    }
    const compaction = this.compacted(view, "threshold");
    if (route !== "compact_then_truncate" || compaction === undefined) return compaction;
    const left = itemsAt(view, compaction.kept);
    return { ...compaction, truncated: reducedResults(view, this.settings, left).truncated };
  }

  /** It looks after the last summary, and keeps less where the provider counts more than the estimate. */
  protected override cutBehind(view: ContextView, to: number): PlannedCut | undefined {
    const range = { from: Math.min(this.summary === undefined ? 0 : 1, to), to };
    const keep = this.keepRecentTokens;
    const cut = currentCut(view, range, keep / budgetScale(usedBy(view), countBetween(view, 0, to), keep));
    return cut.at > range.from ? { ...cut, range } : undefined;
  }

  /** Where every call fails, or the answer is empty, it gives up. */
  protected override replaced(view: ContextView, cut: PlannedCut): Retention {
    const { history, prefix } = summarised(cut);
    const summarises = {
      window: view.window,
      maxHistoryShare: this.maxHistoryShare,
      tokensBefore: view.history,
      previousSummary: this.summary?.tokens ?? 0,
    };
    if (givesNoSummary(this.settings.failSummary, view.summaryCalls)) {
      const [messages, turnPrefix] = [plannedMessages(view, history), plannedMessages(view, prefix)];
      const { tokens } = failedAttempts({ history: messages, turnPrefix, ...summarises });
      return unchanged(view, "failed", tokens);
    }
    const { tokens: callTokens, ...figures } = summaryPlan({
      history: unitSums(view, history, true),
      turnPrefix: unitSums(view, prefix, true),
      ...summarises,
      summary: this.summaryTokens,
      current: true,
    });
    const summary = { tokens: this.summaryTokens, chars: undefined, isNote: false, carries: this.summary?.files };
    return this.put(view, cut, { ...summary, callTokens, figures });
  }
}

/** The assumed cost of what came after the last response; before the first response, of everything. */
function addedPressure(view: ContextView): Tokens {
  if (view.request === 0) return Math.ceil(view.history * PRESSURE_MARGIN);
  const measured = view.columns.measures["openclaw.pressure"];
  if (measured === undefined) return Math.ceil(view.added * PRESSURE_MARGIN);
  let tokens = 0;
  for (let position = runEnd(view); position < view.items.length; position++) {
    const item = view.items.at(position);
    tokens += measured[item] ?? view.tokensOf(item);
  }
  return Math.ceil(tokens * PRESSURE_MARGIN);
}
