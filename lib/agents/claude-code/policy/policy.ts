import type { Tokens } from "@/lib/core/base/units";
import { FLAG } from "@/lib/core/columns/columns";
import { givesNoSummary } from "@/lib/core/compaction/common-settings";
import type {
  Compaction,
  ContextView,
  Policy,
  PolicyPlan,
  PolicyRun,
  Retention,
  SyntheticItem,
} from "@/lib/core/compaction/policy";
import { bySummary, clearing, summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { numberSetting, optionalNumberSetting } from "@/lib/core/compaction/settings";
import { clearedAfterPause, type PauseRule } from "./clearing";
import { reattached } from "./reattached";
import { claudeCodeSettings } from "./settings";
import { autoCompactThreshold } from "./threshold";

/**
 * Claude Code's auto-compaction as reported: everything is replaced by a summary, and by what the client attaches again.
 * Clearing old results after a pause is off by default, as it is rarely recorded. Preserved tails of newer versions are not
 * simulated: they have no published rule.
 */
export const claudeCodePolicy: Policy = {
  id: "claude-code",
  label: "Claude Code",
  presets: ["reported", "reported-2025"],
  settings: claudeCodeSettings,
  measures: ["claude-code.fileChars", "claude-code.fileLines"],
  threshold: ({ window, settings }) => autoCompactThreshold(window, settings),
  looksBack: ({ settings }) => numberSetting(settings, "clearIdleMinutes") > 0,
  begin: (plan) => new ClaudeCodeRun(plan),
};

class ClaudeCodeRun implements PolicyRun {
  readonly #threshold: Tokens;
  readonly #summaryTokens: Tokens;
  readonly #failSummary: unknown;
  /** What comes back beside a summary, where that was chosen; `null` where it is what the session had. */
  readonly #reattached: Tokens | null;
  /** What comes back beside the files of the session. */
  readonly #rest: Tokens;
  readonly #pause: PauseRule;

  constructor({ settings, window }: PolicyPlan) {
    this.#threshold = autoCompactThreshold(window, settings);
    this.#summaryTokens = numberSetting(settings, "summaryTokens");
    this.#failSummary = settings.failSummary;
    this.#reattached = optionalNumberSetting(settings, "reattachedTokens");
    this.#rest = numberSetting(settings, "reattachedRest");
    this.#pause = {
      minutes: numberSetting(settings, "clearIdleMinutes"),
      keep: numberSetting(settings, "keepToolResults"),
    };
  }

  /** A compaction at the threshold; below it the clearing of old results, where a pause came before. */
  before(view: ContextView): Compaction | undefined {
    if (contextUsage(view) >= this.#threshold) return { ...this.#compacted(view), trigger: "threshold" };
    const cleared = clearedAfterPause(view, this.#pause);
    return cleared.length === 0 ? undefined : { ...clearing(view, cleared), trigger: "threshold" };
  }

  #compacted(view: ContextView): Retention {
    if (givesNoSummary(this.#failSummary, view.summaryCalls)) return unchanged(view, "failed", view.history);
    return bySummary({
      kept: [],
      added: [summaryItem(this.#summaryTokens), this.#attachedAgain(view)],
      summaryTokens: this.#summaryTokens,
      summaryCallTokens: view.history,
    });
  }

  /** What comes back beside the summary: as many tokens as were chosen, else what the session had and what no record shows. */
  #attachedAgain(view: ContextView): SyntheticItem {
    const label = "files, plan and memory attached again";
    const item = { kind: "attachment", name: "attachedAgain", category: "attachments", label } as const;
    if (this.#reattached !== null) return { ...item, tokens: this.#reattached };
    const { tokens, files } = reattached(view);
    return { ...item, tokens: tokens + this.#rest, files };
  }
}

/**
 * Usage of the last response, and the program's own count of what came after it. Before the first response there is no usage:
 * then everything is an estimate. Source: recorded `preTokens` against the request before (README.md, "Compaction").
 */
function contextUsage(view: ContextView): Tokens {
  return view.lastInput === 0 ? view.history : view.lastInput + lastOutput(view) + view.addedCount;
}

/**
 * What the last response put out, as the program knew it: as recorded, or by its content where the file has no more than the count
 * with which its stream began. That may be the last one nevertheless, so it is not less.
 */
function lastOutput({ columns, request, recordedOutput, lastOutput: estimate }: ContextView): Tokens {
  if (recordedOutput === undefined) return estimate;
  const first = columns.requests.firstItem[request - 1] ?? -1;
  const isPartial = ((columns.flags[first] ?? 0) & FLAG.PARTIAL_OUTPUT) !== 0;
  return isPartial ? Math.max(recordedOutput, estimate) : recordedOutput;
}
