import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { KINDS } from "@/lib/core/columns/columns";
import { byRules } from "@/lib/core/compaction/by-rules";
import { summaryFails, summaryIsEmpty } from "@/lib/core/compaction/common-settings";
import { filesOfCalls } from "@/lib/core/compaction/file-list";
import type { ContextView, Policy, PolicyPlan, Retention, SimulatedTrigger } from "@/lib/core/compaction/policy";
import { itemsAt } from "@/lib/core/compaction/positions";
import { perSettings, remembered } from "@/lib/core/compaction/remembered";
import { unchanged } from "@/lib/core/compaction/retention";
import { countBetween, endWithoutCallsBefore } from "@/lib/core/compaction/selection";
import { numberSetting, type Settings } from "@/lib/core/compaction/settings";
import { type ColumnCut, currentCut, documentedCut } from "./column-cut";
import { enteredChars, isCurrent, recordedChars } from "./column-entry";
import { prunedItems } from "./column-pruning";
import { reducedResults } from "./column-results";
import { CHARS_PER_TOKEN, resizedTokens, tokensOf } from "./column-sizes";
import {
  BLOCK_BELOW_TOKENS,
  budgetScale,
  CURRENT_BLOCK_BELOW_TOKENS,
  CUT,
  effectiveReserve,
  memoryFlushThreshold,
  OPENCLAW_MEASURES,
  PRESSURE_MARGIN,
  promptRoute,
  reserveInForce,
} from "./constants";
import {
  cutOf,
  cutsOf,
  type FlushTurn,
  isFlushed,
  isRunStart,
  lastRecorded,
  type OwnSummary,
  plannedMessages,
  previousSummary,
  runEnd,
  unitSizes,
  unitSums,
  wasThere,
} from "./context-units";
import { type FailedAttempts, failedAttempts } from "./failed-attempts";
import { emptySummaryChars, type FailedSummary, failedSummary } from "./failed-summary";
import { OPENCLAW_PRESETS } from "./presets";
import { openClawSettings } from "./settings";
import { type SummaryPlan, summaryPlan } from "./summary-calls";
import { sectionChars } from "./summary-sections";
import type { Range } from "./unit-sums";

/** The size above which it compacts. */
const threshold = perSettings((window: Tokens, settings: Settings): Tokens => {
  const reserve = reserveInForce(
    numberSetting(settings, "reserveTokens"),
    numberSetting(settings, "reserveTokensFloor"),
  );
  return isCurrent(settings) ? Math.max(1, window - effectiveReserve(window, reserve)) : window - reserve;
});

/** The size from which memories are written down. */
const flushThreshold = perSettings(
  (window: Tokens, settings: Settings): Tokens =>
    memoryFlushThreshold(
      window,
      numberSetting(settings, "reserveTokensFloor"),
      numberSetting(settings, "memoryFlushTokens"),
    ),
);

/**
 * OpenClaw's handling of its context over numbers. `as-documented` (2026.2.1) looks between runs, at the last response's
 * usage, and cuts as pi 0.51 does; `current` (2026.9.6) estimates before every prompt, on the safe side, and may shorten tool
 * results instead. Either way: turns of a direct chat are limited, old results are pruned after an idle time, and memories
 * are written down shortly before a compaction. Source: README.md, "Rules".
 */
export const openClawPolicy: Policy = {
  id: "openclaw",
  label: "OpenClaw",
  presets: OPENCLAW_PRESETS,
  settings: openClawSettings,
  measures: OPENCLAW_MEASURES,
  entryRule: { settings: ["toolResultChars"], tokens: entryTokens },
  clearsBy: "pruning",
  threshold: ({ window, settings }) => threshold(window, settings),
  // Release 2026.9.6 shortens results before a prompt whatever pruning is set to.
  looksBack: ({ settings }) => isCurrent(settings) || settings.pruning === "cache-ttl",
  begin: byRules({
    shouldCompact: (view, settings) => actionFor(view, settings)?.trigger ?? null,
    compact: (view, settings) => actionFor(view, settings)?.apply() ?? unchanged(view, "skipped"),
  }),
};

/** What is done before a request. */
interface Action {
  readonly trigger: SimulatedTrigger;
  readonly apply: () => Retention;
}

/** The first of these that applies: a window that is refused, a compaction, fewer turns, memories, pruning. */
function actionFor(view: ContextView, settings: Settings): Action | undefined {
  const isStart = isRunStart(view);
  if (view.window < (isCurrent(settings) ? CURRENT_BLOCK_BELOW_TOKENS : BLOCK_BELOW_TOKENS)) {
    return isStart ? { trigger: "threshold", apply: () => unchanged(view, "blocked") } : undefined;
  }
  return (
    compaction(view, settings, isStart) ??
    (isStart ? fewerTurns(view, settings) : undefined) ??
    (isStart ? memoryFlush(view, settings) : undefined) ??
    pruning(view, settings)
  );
}

/** Between runs the last response's total is compared, or an estimate of the prompt; a prompt above the window fails anywhere. */
function compaction(view: ContextView, settings: Settings, isStart: boolean): Action | undefined {
  const above = isStart ? tokensAbove(view, settings) : 0;
  if (above > 0) {
    return isCurrent(settings) ? routed(view, settings, above) : compacted(view, settings, "threshold");
  }
  return view.history > view.window ? compacted(view, settings, "overflow") : undefined;
}

/** How far what is compared between runs lies above the threshold; 2026.2.1 compares nothing before the first response. */
function tokensAbove(view: ContextView, settings: Settings): Tokens {
  const current = isCurrent(settings);
  if (view.request === 0 && !current) return 0;
  const used = usedBy(view);
  return (current ? used + addedPressure(view) : used) - threshold(view.window, settings);
}

/** The last response's total: its output as recorded while the recording is followed. */
function usedBy(view: ContextView): Tokens {
  return view.lastInput + (view.recordedOutput ?? view.lastOutput);
}

/** What came after the last response, as 2026.9.6 takes it to cost; before the first, everything. */
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

/** Whether shortening results is enough, or is done after a compaction, or does not help. */
function routed(view: ContextView, settings: Settings, overflow: Tokens): Action | undefined {
  const reduced = reducedHistory(view, settings);
  const route = promptRoute(overflow, reduced.chars);
  if (route === "truncate_tool_results_only" && reduced.truncated.length > 0) {
    return {
      trigger: "threshold",
      apply: () => ({ ...unchanged(view, "skipped"), outcome: "trim", truncated: reduced.truncated }),
    };
  }
  const action = compacted(view, settings, "threshold");
  if (route !== "compact_then_truncate" || action === undefined) return action;
  return {
    ...action,
    apply: () => {
      const retention = action.apply();
      return { ...retention, truncated: reducedResults(view, settings, itemsAt(view, retention.kept)).truncated };
    },
  };
}

const reducedHistory = remembered((view: ContextView, settings: Settings) =>
  reducedResults(view, settings, view.items.results()),
);

/** Where a compaction would cut, within what it looks at. */
interface PlannedCut extends ColumnCut {
  readonly range: Range;
}

/** What asks for a compaction. */
type Cause = "threshold" | "overflow";

function compacted(view: ContextView, settings: Settings, trigger: Cause): Action | undefined {
  const cut = cutsBy[trigger](view, settings);
  return cut === undefined ? undefined : { trigger, apply: () => retentionFor(view, settings, cut) };
}

/**
 * 2026.2.1 looks behind the whole previous compaction, 2026.9.6 behind its summary; between runs up to the run's end, as the
 * new prompt is not in the session yet. Nothing where nothing came since the last compaction, or there is nothing to cut.
 */
function plannedCut(view: ContextView, settings: Settings, trigger: Cause): PlannedCut | undefined {
  const previous = previousSummary(view);
  const to = trigger === "threshold" ? runEnd(view) : view.items.length;
  let from = previous === undefined ? 0 : 1;
  const keep = numberSetting(settings, "keepRecentTokens");
  if (previous !== undefined && to > 0 && wasThere(view, view.items.at(to - 1), previous)) return undefined;
  if (isCurrent(settings)) {
    const range = { from: Math.min(from, to), to };
    const cut = currentCut(view, range, keep / budgetScale(usedBy(view), countBetween(view, 0, to), keep));
    return cut.at > range.from ? { ...cut, range } : undefined;
  }
  while (previous !== undefined && from < view.items.length && wasThere(view, view.items.at(from), previous)) from += 1;
  const range = { from: Math.min(from, to), to };
  return range.from < range.to ? { ...documentedCut(view, range, keep), range } : undefined;
}

const cutsBy = {
  threshold: remembered((view: ContextView, settings: Settings) => plannedCut(view, settings, "threshold")),
  overflow: remembered((view: ContextView, settings: Settings) => plannedCut(view, settings, "overflow")),
};

function retentionFor(view: ContextView, settings: Settings, cut: PlannedCut): Retention {
  const previous = previousSummary(view);
  const current = isCurrent(settings);
  const isEmpty = summaryIsEmpty(settings.failSummary);
  const fails = summaryFails(settings.failSummary, view.summaryCalls) || (isEmpty && current);
  // 2026.9.6 gives up; 2026.2.1 leaves a note in the summary's place.
  if (fails && current) return unchanged(view, "failed", attemptsOf(view, settings, cut).tokens);
  const { tokens, ...plan } = planOf(view, settings, cut);
  const failed = fails ? noteFor(view, settings, cut) : undefined;
  const note = failed ?? (isEmpty ? emptySummary(view, cut) : undefined);
  const summaryTokens = note === undefined ? numberSetting(settings, "summaryTokens") : tokensOf(note.chars);
  const sent = failed?.tokens ?? tokens;
  // What an extension's compaction listed, and of 2026.2.1 every one is, is not carried over.
  const list = filesOfCalls(
    view,
    { from: cut.range.from, to: cut.at },
    FILE_TOOLS,
    current ? previous?.list : undefined,
  );
  const summary: OwnSummary = {
    kind: "summary",
    name: fails ? "summaryNote" : "summary",
    category: "summaries",
    tokens: summaryTokens,
    label: fails ? "note in a summary's place" : "summary",
    list,
    get files() {
      return list.names;
    },
    ...(note === undefined ? {} : { chars: note.chars }),
    through: lastRecorded(view, cut.range.to),
    count: (previous?.count ?? 0) + 1,
  };
  return {
    kept: endWithoutCallsBefore(view, cut.at),
    truncated: [],
    cleared: [],
    added: [summary],
    addedAt: "front",
    outcome: fails ? "fallback" : "summary",
    summaryTokens,
    summaryCallTokens: sent,
    figures: { ...plan, calls: failed?.calls ?? plan.calls },
  };
}

/** The history that is summarised, and the beginning of a turn that the cut splits. */
function summarised({ range, at, turnStart }: PlannedCut): { readonly history: Range; readonly prefix: Range } {
  const historyEnd = turnStart >= 0 ? turnStart : at;
  return { history: { from: range.from, to: historyEnd }, prefix: { from: historyEnd, to: at } };
}

/** What 2026.9.6 sends in vain where every call fails. */
function attemptsOf(view: ContextView, settings: Settings, cut: PlannedCut): FailedAttempts {
  const { history, prefix } = summarised(cut);
  return failedAttempts({
    history: plannedMessages(view, history),
    turnPrefix: plannedMessages(view, prefix),
    window: view.window,
    maxHistoryShare: numberSetting(settings, "maxHistoryShare"),
    tokensBefore: view.history,
    previousSummary: previousSummary(view)?.tokens ?? 0,
  });
}

function planOf(view: ContextView, settings: Settings, cut: PlannedCut): SummaryPlan {
  const current = isCurrent(settings);
  const { history, prefix } = summarised(cut);
  return summaryPlan({
    history: unitSums(view, history, current),
    turnPrefix: unitSums(view, prefix, current),
    window: view.window,
    maxHistoryShare: numberSetting(settings, "maxHistoryShare"),
    tokensBefore: view.history,
    previousSummary: previousSummary(view)?.tokens ?? 0,
    summary: summaryIsEmpty(settings.failSummary) ? 0 : numberSetting(settings, "summaryTokens"),
    current,
  });
}

/** What 2026.2.1 makes of empty answers: the words between their parts, and what it adds to any summary. */
function emptySummary(view: ContextView, cut: PlannedCut): Pick<FailedSummary, "chars"> {
  const { history, prefix } = summarised(cut);
  const parts = emptySummaryChars(history.to > history.from, prefix.to > prefix.from, previousChars(view));
  return { chars: parts + sectionChars(view, { from: cut.range.from, to: cut.at }) };
}

/** Length of the summary before; absent where there is none. */
function previousChars(view: ContextView): Chars | undefined {
  const previous = previousSummary(view);
  return previous === undefined ? undefined : (previous.chars ?? previous.tokens * CHARS_PER_TOKEN);
}

/** The note that 2026.2.1 leaves where every call fails, with what it adds to any summary. */
function noteFor(view: ContextView, settings: Settings, cut: PlannedCut): FailedSummary {
  const { history, prefix } = summarised(cut);
  const failed = failedSummary({
    history: unitSizes(view, history),
    turnPrefix: unitSizes(view, prefix),
    window: view.window,
    maxHistoryShare: numberSetting(settings, "maxHistoryShare"),
    tokensBefore: view.history,
    previousSummary: previousChars(view),
  });
  return { ...failed, chars: failed.chars + sectionChars(view, { from: cut.range.from, to: cut.at }) };
}

const RESULT = KINDS.indexOf("tool_result");

/** Tools whose files a summary lists; in other agents' recordings whatever their case. */
const FILE_TOOLS = new Set(["read", "write", "edit"]);

/** The newest turns of a direct chat: those before the new prompt are counted. */
function fewerTurns(view: ContextView, settings: Settings): Action | undefined {
  const limit = numberSetting(settings, "historyTurns");
  if (limit <= 0) return undefined;
  const starts: number[] = [];
  const cuts = cutsOf(view.columns);
  const end = runEnd(view);
  for (let position = 0; position < end; position++) {
    const item = view.items.at(position);
    if ((cuts[item] ?? cutOf(view, item)) === CUT.TURN) starts.push(position);
  }
  const from = starts.at(-limit) ?? 0;
  if (starts.length <= limit || from === 0) return undefined;
  return {
    trigger: "threshold",
    apply: () => ({ ...unchanged(view, "skipped"), kept: endWithoutCallsBefore(view, from), outcome: "trim" }),
  };
}

/** The prompt of the silent turn and its usual answer. Source: README.md, "When it compacts", 152 and 8 chars. */
const FLUSH_TURN_TOKENS: Tokens = 40;

/** Shortly before the threshold memories are written down, in a turn of its own, once for every summary. */
function memoryFlush(view: ContextView, settings: Settings): Action | undefined {
  const at = flushThreshold(view.window, settings);
  if (at <= 0 || view.lastInput < at) return undefined;
  const summaries = previousSummary(view)?.count ?? 0;
  if (isFlushed(view, summaries)) return undefined;
  const turn: FlushTurn = {
    kind: "turn",
    name: "memoryTurn",
    category: "other",
    tokens: FLUSH_TURN_TOKENS,
    label: "turn in which memories are written down",
    flushedFor: summaries,
  };
  return {
    trigger: "threshold",
    apply: () => ({ ...unchanged(view, "skipped", view.history), added: [turn] }),
  };
}

function pruning(view: ContextView, settings: Settings): Action | undefined {
  if (settings.pruning !== "cache-ttl") return undefined;
  const pruned = prunedItems(view, settings);
  if (pruned === undefined) return undefined;
  return {
    trigger: "threshold",
    // 2026.2.1 prunes what it is about to send, not what it holds.
    apply: () => ({ ...unchanged(view, "skipped"), outcome: "clear", transient: !isCurrent(settings), ...pruned }),
  };
}

/** Entry rule: a result is cut to what OpenClaw's own tools give; `current` also to its limit. */
function entryTokens({ columns, settings }: PolicyPlan, item: ItemIndex, tokens: Tokens): Tokens {
  if (columns.kind[item] !== RESULT) return tokens;
  const recorded = recordedChars(columns, item, isCurrent(settings));
  return resizedTokens(tokens, recorded, enteredChars(columns, item, settings));
}
