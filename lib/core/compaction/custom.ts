import type { Tokens } from "../base/units";
import { CLEARED_TOKENS } from "../columns/membership";
import { byRules } from "./by-rules";
import { entryTruncationSetting, failSummarySetting, givesNoSummary, summaryTokensSetting } from "./common-settings";
import type { ContextView, Policy, PolicyContext, Retention } from "./policy";
import { perSettings } from "./remembered";
import { clearing, summaryItem, unchanged } from "./retention";
import { endWithoutOrphans, hasOldResults, lastExchangeFrom, oldResults, recentFrom, recentTyped } from "./selection";
import { numberSetting, type SettingSource, type SettingSpec, type Settings } from "./settings";

const OURS: SettingSource = { kind: "ours", notes: ["ownPolicy"] };
const KEPT: SettingSource = { kind: "ours", notes: ["ownPolicy", "lastStays"] };

const threshold = perSettings(
  (window: Tokens, settings: Settings): Tokens => Math.floor(window * numberSetting(settings, "triggerShare")),
);

/**
 * A policy to try things with: fires at a share of the window, keeps the newest messages within a budget (the last one with the
 * call that it answers in any case, whatever its size), earlier typed messages within another, and replaces the rest by a summary.
 * Keys: interfaces.md, row `custom`.
 */
export const customPolicy: Policy = {
  id: "custom",
  label: "Custom",
  presets: ["default"],
  settings: customSettings,
  threshold: ({ window, settings }) => threshold(window, settings),
  looksBack: ({ settings }) => numberSetting(settings, "clearToolResultsAfter") > 0,
  begin: byRules({
    shouldCompact: (view, settings) =>
      view.history >= threshold(view.window, settings) || clears(view, settings) ? "threshold" : null,
    compact,
  }),
};

function customSettings(_preset: string, context: PolicyContext): readonly SettingSpec[] {
  return [
    number("triggerShare", "Trigger", "share", [0, 1, 0.01], 0.8),
    {
      ...number(
        "keepRecentTokens",
        "Keep recent",
        "tokens",
        [0, context.window, 500],
        Math.min(20_000, context.window),
      ),
      source: KEPT,
    },
    { ...number("keepRecentShare", "Keep recent, share of the window", "share", [0, 1, 0.01], 0), source: KEPT },
    { ...number("keepRecentMessages", "Keep recent messages", "messages", [0, 200, 1], 0), source: KEPT },
    number("keepUserTokens", "Keep earlier user messages", "tokens", [0, context.window, 500], 0),
    {
      ...number("clearToolResultsAfter", "Clear tool results after", "requests", [0, 500, 1], 0),
      special: { value: 0, means: "never" },
    },
    summaryTokensSetting(context),
    failSummarySetting(),
    {
      ...entryTruncationSetting(false),
      source: { kind: "ours", notes: ["noLimit"] },
    },
  ];
}

type NumberUnit = Extract<SettingSpec, { type: "number" }>["unit"];

function number(
  key: string,
  label: string,
  unit: NumberUnit,
  [min, max, step]: readonly [number, number, number],
  byDefault: number,
) {
  return { key, label, type: "number", unit, min, max, step, default: byDefault, source: OURS } as const;
}

const clearedAfter = perSettings((_window, settings) => numberSetting(settings, "clearToolResultsAfter"));

function clears(view: ContextView, settings: Settings): boolean {
  const after = clearedAfter(view.window, settings);
  return after > 0 && hasOldResults(view, after);
}

function compact(view: ContextView, settings: Settings): Retention {
  if (view.history < threshold(view.window, settings)) return clear(view, settings);
  if (givesNoSummary(settings.failSummary, view.summaryCalls)) return unchanged(view, "failed", view.history);
  const budget = Math.max(
    numberSetting(settings, "keepRecentTokens"),
    view.window * numberSetting(settings, "keepRecentShare"),
  );
  const recent = recentFrom(view, budget, numberSetting(settings, "keepRecentMessages"));
  const from = Math.min(recent, lastExchangeFrom(view));
  const typed = recentTyped(view, from, numberSetting(settings, "keepUserTokens"));
  const summaryTokens = numberSetting(settings, "summaryTokens");
  return {
    kept: [...typed.kept, ...endWithoutOrphans(view, from)],
    truncated: typed.truncated,
    cleared: [],
    added: [summaryItem(summaryTokens)],
    addedAt: "front",
    outcome: "summary",
    summaryTokens,
    summaryCallTokens: view.history,
  };
}

function clear(view: ContextView, settings: Settings): Retention {
  const old = oldResults(view, clearedAfter(view.window, settings));
  return clearing(
    view,
    old.map((item) => [item, CLEARED_TOKENS] as const),
  );
}
