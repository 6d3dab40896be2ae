import type { Tokens } from "../base/units";
import { CLEARED_TOKENS } from "../columns/membership";
import { entryTruncationSetting, failSummarySetting, givesNoSummary, summaryTokensSetting } from "./common-settings";
import type {
  Compaction,
  ContextView,
  Policy,
  PolicyChosen,
  PolicyContext,
  PolicyPlan,
  PolicyRun,
  Retention,
} from "./policy";
import { bySummary, clearing, summaryItem, unchanged } from "./retention";
import { endWithCalls, hasOldResults, lastExchangeFrom, oldResults, recentFrom, recentTyped } from "./selection";
import { numberSetting, type SettingSource, type SettingSpec } from "./settings";

const OURS: SettingSource = { kind: "ours", notes: ["ownPolicy"] };
const KEPT: SettingSource = { kind: "ours", notes: ["ownPolicy", "lastStays"] };

/**
 * A policy that belongs to no agent, for trying rules out. It fires at a share of the window, keeps the newest messages within one budget and earlier
 * typed messages within another, and replaces the rest by a summary. The last message stays whatever its size, together with the call that it
 * answers. Source of the form of its keys: docs/interfaces.md, "Settings".
 */
export const customPolicy: Policy = {
  id: "custom",
  label: "Custom",
  presets: ["default"],
  settings: customSettings,
  threshold: thresholdOf,
  looksBack: ({ settings }) => numberSetting(settings, "clearToolResultsAfter") > 0,
  begin: (plan) => new CustomRun(plan),
};

function thresholdOf({ window, settings }: PolicyChosen): Tokens {
  return Math.floor(window * numberSetting(settings, "triggerShare"));
}

class CustomRun implements PolicyRun {
  readonly #threshold: Tokens;
  /** How much of the newest messages stays. */
  readonly #recent: { readonly tokens: Tokens; readonly messages: number };
  readonly #keepUserTokens: Tokens;
  /** How many requests after it came a result is cleared; 0 means never. */
  readonly #clearedAfter: number;
  readonly #summaryTokens: Tokens;
  readonly #failSummary: unknown;

  constructor(plan: PolicyPlan) {
    const number = (key: string) => numberSetting(plan.settings, key);
    this.#threshold = thresholdOf(plan);
    const tokens = Math.max(number("keepRecentTokens"), plan.window * number("keepRecentShare"));
    this.#recent = { tokens, messages: number("keepRecentMessages") };
    this.#keepUserTokens = number("keepUserTokens");
    this.#clearedAfter = number("clearToolResultsAfter");
    this.#summaryTokens = number("summaryTokens");
    this.#failSummary = plan.settings.failSummary;
  }

  /** At the threshold it compacts; below it, it clears old results. */
  before(view: ContextView): Compaction | undefined {
    if (view.history >= this.#threshold) return this.compact(view);
    if (this.#clearedAfter <= 0 || !hasOldResults(view, this.#clearedAfter)) return undefined;
    const cleared = oldResults(view, this.#clearedAfter).map((item) => [item, CLEARED_TOKENS] as const);
    return clearing(view, cleared);
  }

  compact(view: ContextView): Retention {
    if (givesNoSummary(this.#failSummary, view.summaryCalls)) return unchanged(view, "failed", view.history);
    const recent = recentFrom(view, this.#recent.tokens, this.#recent.messages);
    const from = Math.min(recent, lastExchangeFrom(view));
    const typed = recentTyped(view, from, this.#keepUserTokens);
    return bySummary({
      kept: [...typed.kept, ...endWithCalls(view, from)],
      truncated: typed.truncated,
      added: [summaryItem(this.#summaryTokens)],
      summaryTokens: this.#summaryTokens,
      summaryCallTokens: view.history,
    });
  }
}

function customSettings(_preset: string, context: PolicyContext): readonly SettingSpec[] {
  return [
    { ...number("triggerShare", "Trigger", "share", [0, 1, 0.01], 0.8), decidesWhen: true },
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
