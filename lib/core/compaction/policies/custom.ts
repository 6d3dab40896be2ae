import type { Tokens } from "../../base/units";
import { CLEARED_TOKENS } from "../../columns/membership";
import type {
  Compaction,
  ContextView,
  Policy,
  PolicyChosen,
  PolicyContext,
  PolicyPlan,
  PolicyRun,
  Retention,
} from "../policy/policy";
import { numberSetting, type SettingSpec } from "../policy/settings";
import { clearing } from "../retention";
import { hasOldResults, oldResults } from "../selection";
import { keptSettings, OwnRetention, ownNumber, ownSummarySettings } from "./own-retention";

/**
 * Policy of no agent, for trying out rules. It fires at a share of the window, keeps the newest messages within one budget and earlier typed messages
 * within another, and replaces the rest by a summary. Source of its keys' format: docs/interfaces.md, "Settings".
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
  readonly #retention: OwnRetention;
  /** Number of requests after which a result is cleared; 0 means never. */
  readonly #clearedAfter: number;

  constructor(plan: PolicyPlan) {
    this.#threshold = thresholdOf(plan);
    this.#retention = new OwnRetention(plan);
    this.#clearedAfter = numberSetting(plan.settings, "clearToolResultsAfter");
  }

  /** At the threshold it compacts; below it, it clears old results. */
  before(view: ContextView): Compaction | undefined {
    if (view.history > 0 && view.history >= this.#threshold) return this.compact(view);
    if (this.#clearedAfter <= 0 || !hasOldResults(view, this.#clearedAfter)) return undefined;
    const cleared = oldResults(view, this.#clearedAfter).map((item) => [item, CLEARED_TOKENS] as const);
    return clearing(view, cleared);
  }

  compact(view: ContextView): Retention {
    return this.#retention.of(view);
  }
}

function customSettings(_preset: string, context: PolicyContext): readonly SettingSpec[] {
  return [
    { ...ownNumber("triggerShare", "Trigger", "share", [0, 1, 0.01], 0.8), decidesWhen: true },
    ...keptSettings(context),
    {
      ...ownNumber("clearToolResultsAfter", "Clear tool results after", "requests", [0, 500, 1], 0),
      special: { value: 0, means: "never" },
    },
    ...ownSummarySettings(context),
  ];
}
