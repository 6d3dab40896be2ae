import type { Chars, Tokens } from "@/lib/core/base/units";
import type { Compaction, ContextView, PolicyChosen, PolicyPlan, Retention } from "@/lib/core/compaction/policy";
import { summaryFails, summaryIsEmpty } from "@/lib/core/compaction/settings/common-settings";
import { BLOCK_BELOW_TOKENS } from "../constants";
import { losesKept, openClawPreset } from "../presets";
import { unitSizes, unitSums } from "./context-units";
import { documentedCut } from "./cut";
import { emptySummaryChars, type FailedSummary, failedSummary } from "./failed-summary";
import { pruning202621 } from "./pruning";
import { isPruned, type Release, reserveOf } from "./release";
import { resultChars202621 } from "./result-chars";
import { OpenClawRun, type PlannedCut, summarised, usedBy } from "./run";
import { CHARS_PER_TOKEN, tokensOf } from "./sizes";
import { type SummaryPlan, summaryPlan } from "./summary-calls";
import { sectionChars } from "./summary-sections";

/** Release 2026.2.1: it looks at the last response's usage, and where no summary comes, a note replaces it. */
export const release202621: Release = {
  threshold: thresholdOf,
  looksBack: isPruned,
  results: resultChars202621,
  begin: (plan) => new Run202621(plan),
};

function thresholdOf(chosen: PolicyChosen): Tokens {
  return chosen.window - reserveOf(chosen);
}

class Run202621 extends OpenClawRun {
  readonly #losesKept: boolean;

  constructor(plan: PolicyPlan) {
    super(plan, { threshold: thresholdOf(plan), leastWindow: BLOCK_BELOW_TOKENS, pruning: pruning202621 });
    this.#losesKept = losesKept(openClawPreset(plan.preset));
  }

  /** Nothing is compared before the first response. */
  protected override tokensAbove(view: ContextView): Tokens {
    return view.request === 0 ? 0 : usedBy(view) - this.threshold;
  }

  protected override fitted(view: ContextView): Compaction | undefined {
    return this.compacted(view, "threshold");
  }

  /** As the program was released, it looks only after all that the previous compaction kept, which is lost then. */
  protected override cutBehind(view: ContextView, to: number): PlannedCut | undefined {
    let from = this.summary === undefined ? 0 : 1;
    while (this.#losesKept && from < to && this.wasThere(view, view.items.at(from))) from += 1;
    const range = { from: Math.min(from, to), to };
    if (range.from >= range.to) return undefined;
    return { ...documentedCut(view, range, this.keepRecentTokens, this.compactedRows), range };
  }

  /**
   * Lists made by an extension's compaction are not carried along, and every compaction of this release is one. Where nothing is to be summarised,
   * no call is made: the previous summary stays, or a note says that there is none.
   */
  protected override replaced(view: ContextView, cut: PlannedCut): Retention {
    const { failSummary } = this.settings;
    const { tokens, ...plan } = this.#plan(view, cut);
    const isNote = plan.calls === 0 || summaryFails(failSummary, view.summaryCalls);
    const failed = isNote ? this.#noteFor(view, cut) : undefined;
    const chars = failed?.chars ?? (summaryIsEmpty(failSummary) ? this.#emptyChars(view, cut) : undefined);
    return this.put(view, cut, {
      tokens: chars === undefined ? this.summaryTokens : tokensOf(chars),
      chars,
      isNote: failed !== undefined,
      carries: undefined,
      callTokens: failed?.tokens ?? tokens,
      figures: { ...plan, calls: failed?.calls ?? plan.calls },
    });
  }

  #plan(view: ContextView, cut: PlannedCut): SummaryPlan {
    const { history, prefix } = summarised(cut);
    return summaryPlan({
      history: unitSums(view, history, false),
      turnPrefix: unitSums(view, prefix, false),
      window: view.window,
      maxHistoryShare: this.maxHistoryShare,
      tokensBefore: view.history,
      previousSummary: this.summary?.tokens ?? 0,
      summary: summaryIsEmpty(this.settings.failSummary) ? 0 : this.summaryTokens,
      current: false,
    });
  }

  /** Chars of the summary that it makes of empty answers: the words between their parts, and what it adds to any summary. */
  #emptyChars(view: ContextView, cut: PlannedCut): Chars {
    const { history, prefix } = summarised(cut);
    const parts = emptySummaryChars(history.to > history.from, prefix.to > prefix.from, this.#previousChars());
    return parts + sectionChars(view, { from: cut.range.from, to: cut.at });
  }

  /** The note that it leaves where every call fails, with what it adds to any summary. */
  #noteFor(view: ContextView, cut: PlannedCut): FailedSummary {
    const { history, prefix } = summarised(cut);
    const failed = failedSummary({
      history: unitSizes(view, history),
      turnPrefix: unitSizes(view, prefix),
      window: view.window,
      maxHistoryShare: this.maxHistoryShare,
      tokensBefore: view.history,
      previousSummary: this.#previousChars(),
    });
    return { ...failed, chars: failed.chars + sectionChars(view, { from: cut.range.from, to: cut.at }) };
  }

  /** Length of the previous summary; absent where there is none. */
  #previousChars(): Chars | undefined {
    return this.summary && (this.summary.chars ?? this.summary.tokens * CHARS_PER_TOKEN);
  }
}
