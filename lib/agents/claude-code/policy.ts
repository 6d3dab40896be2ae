import type { Tokens } from "@/lib/core/base/units";
import { FLAG } from "@/lib/core/columns/columns";
import { byRules } from "@/lib/core/compaction/by-rules";
import {
  entryTruncationSetting,
  failSummarySetting,
  givesNoSummary,
  summaryTokensSetting,
} from "@/lib/core/compaction/common-settings";
import type { ContextView, Policy, PolicyContext, Retention, SyntheticItem } from "@/lib/core/compaction/policy";
import { perSettings } from "@/lib/core/compaction/remembered";
import { clearing, summaryItem, unchanged } from "@/lib/core/compaction/retention";
import {
  numberSetting,
  optionalNumberSetting,
  type SettingSource,
  type SettingSpec,
  type Settings,
} from "@/lib/core/compaction/settings";
import { clearedAfterPause } from "./clearing";
import { reattached } from "./reattached";

/**
 * No source of Claude Code is public. These are figures that users reported and that recordings confirm; never to be
 * shown as the vendor's.
 */
const REPORT: SettingSource = {
  kind: "report",
  text: "anthropics/claude-code#12004, #31806, #24079",
  notes: ["eventsFrom"],
  values: { events: "40", version: "2.1.25", lowest: "167,038", window: "200,000" },
};

const REPORT_2025: SettingSource = {
  kind: "report",
  text: "/context, 2025",
  notes: ["bufferShown", "eventsUpTo"],
  values: { buffer: "45,000", events: "36", version: "2.1.20", lowest: "155,031", window: "200,000" },
};

const REATTACHED: SettingSource = {
  kind: "document",
  text: "code.claude.com/docs/en/context-window",
  notes: ["reattached"],
  values: { files: "5", most: "5,000", unknown: "6,000" },
};

const OBSERVED_REST: SettingSource = {
  kind: "report",
  notes: ["reattachedRest"],
  values: { events: "23", median: "9,700", rest: "3,700", date: "2026-11" },
};

const CLEARING: SettingSource = {
  kind: "report",
  notes: ["clearedAfterPause"],
  values: { minutes: "60", results: "5", versions: "2.1.12–2.1.22" },
};

/** The output is not reserved above this size, however large a model's limit. Source: as `REPORT`. */
export const MAX_OUTPUT_RESERVE: Tokens = 20_000;

/** Buffer below the effective window. Source: as `REPORT`. */
export const AUTO_BUFFER: Tokens = 13_000;

/** The same of 2025: with the reserve, 45,000 in all. Source: as `REPORT_2025`. */
export const AUTO_BUFFER_2025: Tokens = 25_000;

/**
 * What the first request after a compaction holds beside overhead, summary, files, plan and todo list, and what no record shows.
 * Measured in November 2026: all that came back had a median of 9,700 over 23 recorded compactions, what `reattached` gives for the
 * ten of them that were at hand one of 6,000.
 */
export const REATTACHED_REST: Tokens = 3700;

/** Least and most of it in those ten. */
const OBSERVED_RESTS = [1600, 10_700] as const;

/** Tool results that stay when old ones are cleared after a pause. Source: as `CLEARING`. */
export const KEPT_TOOL_RESULTS = 5;

/** Range of the window that the user may set for auto-compaction. Source: systems/claude-code.md §4, `window`. */
export const AUTO_COMPACT_WINDOW = { least: 100_000, most: 1_000_000 } as const;

/** The window, or the smaller one that was set for auto-compaction, less what is reserved for the output. */
export function effectiveWindow(window: Tokens, settings: Settings): Tokens {
  const set = optionalNumberSetting(settings, "autoCompactWindow") ?? window;
  return Math.min(window, set) - Math.min(numberSetting(settings, "maxOutputTokens"), MAX_OUTPUT_RESERVE);
}

/**
 * Context at which it compacts by itself; an override in per cent of the effective window can only lower it.
 * Source: systems/claude-code.md §4, preset `reported`.
 */
export const autoCompactThreshold = perSettings((window: Tokens, settings: Settings): Tokens => {
  const effective = effectiveWindow(window, settings);
  const byDefault = effective - numberSetting(settings, "autoBuffer");
  const percent = optionalNumberSetting(settings, "pctOverride");
  const threshold = percent === null ? byDefault : Math.min(Math.floor((effective * percent) / 100), byDefault);
  return Math.max(0, threshold);
});

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
  begin: byRules({
    shouldCompact: (view, settings) =>
      overflows(view, settings) || clearedAfterPause(view, settings).length > 0 ? "threshold" : null,
    compact: (view, settings) =>
      overflows(view, settings) ? compact(view, settings) : clearing(view, clearedAfterPause(view, settings)),
  }),
};

function claudeCodeSettings(preset: string, context: PolicyContext): readonly SettingSpec[] {
  const of2025 = preset === "reported-2025";
  return [
    {
      ...tokens("autoBuffer", "Autocompact buffer", of2025 ? REPORT_2025 : REPORT),
      max: Math.max(context.window, AUTO_BUFFER_2025),
      default: of2025 ? AUTO_BUFFER_2025 : AUTO_BUFFER,
    },
    { ...tokens("maxOutputTokens", "Reserved for output", REPORT), max: 128_000, default: MAX_OUTPUT_RESERVE },
    {
      key: "pctOverride",
      label: "Override, per cent of the effective window",
      type: "optional-number",
      unit: "percent",
      min: 1,
      max: 100,
      step: 1,
      default: null,
      source: { kind: "document", text: "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", notes: ["onlyLower"] },
    },
    {
      key: "autoCompactWindow",
      label: "Window of auto-compaction",
      type: "optional-number",
      unit: "tokens",
      min: AUTO_COMPACT_WINDOW.least,
      max: AUTO_COMPACT_WINDOW.most,
      step: 1000,
      default: null,
      source: { kind: "report", text: "CLAUDE_CODE_AUTO_COMPACT_WINDOW", notes: ["mostTheWindow"] },
    },
    {
      key: "reattachedTokens",
      label: "Attached again",
      type: "optional-number",
      unit: "tokens",
      min: 0,
      max: 1_000_000,
      step: 500,
      default: null,
      source: REATTACHED,
    },
    {
      ...tokens("reattachedRest", "Attached again beside files", OBSERVED_REST),
      ...{ max: 50_000, default: REATTACHED_REST, observed: OBSERVED_RESTS, observedElsewhere: true },
      needs: { key: "reattachedTokens", is: null },
    },
    {
      ...whole("clearIdleMinutes", "Clear results after a pause, 0 for never", 0, 1440, 0),
      ...{ unit: "minutes", special: { value: 0, means: "never" } },
    },
    {
      ...whole("keepToolResults", "Results that stay then", 1, 100, KEPT_TOOL_RESULTS),
      ...{ unit: "results", needs: { key: "clearIdleMinutes", above: 0 } },
    },
    summaryTokensSetting(context),
    failSummarySetting(),
    {
      ...entryTruncationSetting(false),
      source: { kind: "ours", notes: ["noLimitPublished"] },
    },
  ];
}

function tokens(key: string, label: string, source: SettingSource) {
  return { key, label, source, type: "number", unit: "tokens", min: 0, step: 500 } as const;
}

function whole(key: string, label: string, min: number, max: number, byDefault: number) {
  return { key, label, source: CLEARING, type: "number", min, max, step: 1, default: byDefault } as const;
}

function overflows(view: ContextView, settings: Settings): boolean {
  return contextUsage(view) >= autoCompactThreshold(view.window, settings);
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

function compact(view: ContextView, settings: Settings): Retention {
  if (givesNoSummary(settings.failSummary, view.summaryCalls)) return unchanged(view, "failed", view.history);
  const summaryTokens = numberSetting(settings, "summaryTokens");
  return {
    kept: [],
    truncated: [],
    cleared: [],
    added: [summaryItem(summaryTokens), attachedAgain(view, settings)],
    addedAt: "front",
    outcome: "summary",
    summaryTokens,
    summaryCallTokens: view.history,
  };
}

/** What comes back beside the summary: as many tokens as were chosen, else what the session had and what no record shows. */
function attachedAgain(view: ContextView, settings: Settings): SyntheticItem {
  const label = "files, plan and memory attached again";
  const item = { kind: "attachment", name: "attachedAgain", category: "attachments", label } as const;
  const chosen = optionalNumberSetting(settings, "reattachedTokens");
  if (chosen !== null) return { ...item, tokens: chosen };
  const { tokens, files } = reattached(view);
  return { ...item, tokens: tokens + numberSetting(settings, "reattachedRest"), files };
}
