import type { Chars, Tokens } from "@/lib/core/base/units";
import type { Compaction, ContextView, PolicyChosen, PolicyPlan, Retention } from "@/lib/core/compaction/policy/policy";
import { hasUsageBy } from "@/lib/core/context/own-breakdown";
import { PRESSURE_MARGIN, promptReserve } from "../base/constants";
import { documentedCut } from "./cut";
import { pruning202621 } from "./pruning";
import { isPruned, type Release, reserveOf } from "./release";
import { Run202696 } from "./release-2026.9.6";
import { resultChars202621 } from "./result-chars";
import { type PlannedCut, summarised } from "./run";
import { tokensOf } from "./sizes";

/**
 * Release 2026.5.7 with pi 0.73.0, and those from 2026.4.15 to 2026.8.2 as far as they agree with it: it compares the last response's usage after
 * a run, and an estimate of the whole prompt before it is sent. Source: README.md, "Presets" and "Before a prompt".
 */
export const release202657: Release = {
  threshold: thresholdOf,
  thresholdRule: "betweenTurns",
  looksBack: isPruned,
  results: resultChars202621,
  begin: (plan) => new Run202657(plan),
};

function thresholdOf(chosen: PolicyChosen): Tokens {
  return Math.max(1, chosen.window - promptReserve(chosen.window, reserveOf(chosen)));
}

/** Its summary if there is nothing to summarise. Source: openclaw@2026.5.7, agents/pi-hooks/compaction-safeguard. */
export const EMPTY_HISTORY_SUMMARY = [
  ...["## Decisions", "No prior history.", "", "## Open TODOs", "None.", "", "## Constraints/Rules", "None.", ""],
  ...["## Pending user asks", "None.", "", "## Exact identifiers", "None captured."],
].join("\n");

const EMPTY_HISTORY_CHARS: Chars = EMPTY_HISTORY_SUMMARY.length;

class Run202657 extends Run202696 {
  constructor(plan: PolicyPlan) {
    super(plan, { threshold: thresholdOf(plan), pruning: pruning202621 });
  }

  /** The larger of the provider's count after the last run, and 1.2 times the estimate of the next prompt. */
  protected override tokensAbove(view: ContextView): Tokens {
    const estimated = Math.ceil((systemPromptTokens(view) + countedTokens(view)) * PRESSURE_MARGIN);
    return Math.max(view.request === 0 ? 0 : this.used(view), estimated) - this.threshold;
  }

  protected override fitted(view: ContextView): Compaction | undefined {
    return this.compacted(view, "threshold");
  }

  protected override cutAfterSummary(view: ContextView, to: number): PlannedCut | undefined {
    const range = { from: Math.min(this.summary === undefined ? 0 : 1, to), to };
    if (range.from >= range.to) return undefined;
    return { ...documentedCut(this.held(view), range, this.keepRecentTokens, this.compactedRows), range };
  }

  /** If nothing is to be summarised, no call is made: the previous summary stays, or a fixed text replaces it. */
  protected override replaced(view: ContextView, cut: PlannedCut): Retention {
    const { history, prefix } = summarised(cut);
    if (history.to > history.from || prefix.to > prefix.from) return super.replaced(view, cut);
    const { tokens = tokensOf(EMPTY_HISTORY_CHARS), chars = EMPTY_HISTORY_CHARS } = this.summary ?? {};
    const carries = this.summary?.files;
    return this.put(view, cut, { tokens, chars, isNote: true, carries, callTokens: 0, figures: { calls: 0 } });
  }
}

/**
 * The system prompt as the estimate counts it. If usage was recorded, the overhead is inferred from it and also holds the tools, which the estimate
 * leaves out; the prompt's part of it is unknown, so nothing is counted.
 */
export function systemPromptTokens({ columns, overhead }: Pick<ContextView, "columns" | "overhead">): Tokens {
  return hasUsageBy(columns, columns.requests.length) ? 0 : overhead;
}

/** The messages of the context by the agent's own count. */
function countedTokens(view: ContextView): Tokens {
  let tokens = 0;
  for (let position = 0; position < view.items.length; position++) tokens += view.countOf(view.items.at(position));
  return tokens;
}
