import { charsOverFour } from "@/lib/core/base/characters";
import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, isUnanswered, KIND, type SessionColumns } from "@/lib/core/columns/columns";
import { CLEARED_TOKENS } from "@/lib/core/columns/membership";
import { givesNoSummary } from "@/lib/core/compaction/policy/common-settings";
import type {
  Compaction,
  ContextView,
  Policy,
  PolicyPlan,
  PolicyRun,
  Retention,
  SyntheticItem,
} from "@/lib/core/compaction/policy/policy";
import { numberSetting, optionalNumberSetting } from "@/lib/core/compaction/policy/settings";
import { bySummary, callSize, clearing, summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { MISSING_RESULT } from "../base/constants";
import { reattached } from "./reattached";
import { claudeCodePauses, claudeCodeSettings } from "./settings";
import { autoCompactThreshold } from "./threshold";

/**
 * Claude Code's auto-compaction as reported: a summary and reattached content replace everything. Clearing old results after a pause is off by
 * default, as it is rarely recorded. The preserved tails of newer versions are not simulated, since no rule for them is published.
 */
export const claudeCodePolicy: Policy = {
  id: "claude-code",
  label: "Claude Code",
  presets: ["reported", "2026-11", "reported-2025"],
  settings: claudeCodeSettings,
  measures: ["claude-code.fileChars", "claude-code.fileLines"],
  threshold: ({ window, settings }) => autoCompactThreshold(window, settings),
  pairedTokens: ({ columns }, item, tokens) => tokens + (isUnanswered(columns, item) ? STAND_IN_TOKENS : 0),
  looksBack: ({ settings }) => numberSetting(settings, "clearIdleMinutes") > 0,
  pauses: claudeCodePauses,
  begin: (plan) => new ClaudeCodeRun(plan),
};

/** Size of the generated result for a call without one. */
const STAND_IN_TOKENS: Tokens = charsOverFour(MISSING_RESULT.length);

class ClaudeCodeRun implements PolicyRun {
  readonly #threshold: Tokens;
  readonly #summaryTokens: Tokens;
  readonly #failSummary: unknown;
  /** Tokens reattached in addition to a summary, if the user chose a size; `null` if they depend on the session's files. */
  readonly #reattached: Tokens | null;
  /** Tokens reattached in addition to the session's files. */
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

  /** Compacts at the threshold; below it, clears old results after a pause. */
  before(view: ContextView): Compaction | undefined {
    if (view.history > 0 && contextUsage(view) >= this.#threshold) return this.compact(view);
    const cleared = clearedAfterPause(view, this.#pause);
    return cleared.length === 0 ? undefined : clearing(view, cleared);
  }

  compact(view: ContextView): Retention {
    if (givesNoSummary(this.#failSummary, view.summaryCalls)) return unchanged(view, "failed", view.history);
    return bySummary({
      kept: [],
      added: [summaryItem(this.#summaryTokens), this.#attachedAgain(view)],
      summaryTokens: this.#summaryTokens,
      summaryCallTokens: callSize(view.history),
    });
  }

  /** Reattached content: the chosen number of tokens, or else the session's files plus the part that no record shows. */
  #attachedAgain(view: ContextView): SyntheticItem {
    const label = "files, plan and memory attached again";
    const item = { kind: "attachment", name: "attachedAgain", category: "attachments", label } as const;
    if (this.#reattached !== null) return { ...item, tokens: this.#reattached };
    const { tokens, files } = reattached(view);
    return { ...item, tokens: tokens + this.#rest, files };
  }
}

/**
 * Usage of the last response, plus the program's own count of later items. Before the first response there is no usage, so everything is an estimate.
 * Source: recorded `preTokens` against the request before (README.md, "Compaction").
 */
function contextUsage(view: ContextView): Tokens {
  return view.lastInput === 0 ? view.history : view.lastInput + lastOutput(view) + view.addedCount;
}

/**
 * Output of the last response as the program knew it: the recorded one, or the size of its content if the file holds only the count from the start of
 * its stream. That count may already be the final one, so the result is never smaller than it.
 */
function lastOutput({ columns, request, recordedOutput, lastOutput: estimate }: ContextView): Tokens {
  if (recordedOutput === undefined) return estimate;
  const first = columns.requests.firstItem[request - 1] ?? -1;
  const isPartial = ((columns.flags[first] ?? 0) & FLAG.PARTIAL_OUTPUT) !== 0;
  return isPartial ? Math.max(recordedOutput, estimate) : recordedOutput;
}

/**
 * Claude Code's micro-compaction by idle time, as users reported it: at a request sent a number of minutes after the last response, all but the
 * newest results of these tools become placeholders. Source: README.md, "Compaction".
 */
const CLEARABLE_TOOLS = new Set(["read", "bash", "grep", "glob", "webfetch", "websearch", "edit", "write"]);

const MINUTE_MS = 60_000;

/** Rule for clearing old results after a pause. */
interface PauseRule {
  /** Length of the pause; 0 clears nothing. */
  readonly minutes: number;
  /** Number of newest results to keep. */
  readonly keep: number;
}

/** The results that become placeholders before this request, with their new sizes; none where the rule is off or not due. */
function clearedAfterPause(view: ContextView, { minutes, keep }: PauseRule): Retention["cleared"] {
  if (minutes <= 0 || view.request === 0 || !(pauseBefore(view) >= minutes * MINUTE_MS)) return NOTHING;
  const { columns, items } = view;
  const old = items.clearable(firstKept(view, keep)).filter((item) => isOfClearable(columns, item));
  return old.map((item) => [item, Math.min(view.tokensOf(item), CLEARED_TOKENS)] as const);
}

const NOTHING: Retention["cleared"] = [];

/** Time between the last response and the newest item of the coming request; NaN if either time is not recorded. */
function pauseBefore({ columns, items, request }: ContextView): number {
  const newest = items.length === 0 ? Number.NaN : (columns.at[items.at(items.length - 1)] ?? Number.NaN);
  return newest - (columns.requests.at[request - 1] ?? Number.NaN);
}

/** The oldest result to keep; the first row if all results are kept. */
function firstKept({ columns, items }: ContextView, keep: number): ItemIndex {
  let left = keep;
  for (let position = items.length - 1; position >= 0; position--) {
    const item = items.at(position);
    if (columns.kind[item] === KIND.tool_result && isOfClearable(columns, item) && --left === 0) return item;
  }
  return 0;
}

/** Names of tools differ in upper and lower case between agents' recordings. */
function isOfClearable({ tool, tables }: SessionColumns, item: ItemIndex): boolean {
  return CLEARABLE_TOOLS.has(tables.tools[tool[item] ?? -1]?.toLowerCase() ?? "");
}
