import type { Tokens } from "../../base/units";
import {
  entryTruncationSetting,
  failSummarySetting,
  givesNoSummary,
  summaryTokensSetting,
} from "../policy/common-settings";
import type { ContextView, PolicyContext, PolicyPlan, Retention } from "../policy/policy";
import { numberSetting, type SettingSource, type SettingSpec } from "../policy/settings";
import { bySummary, callSize, summaryItem, unchanged } from "../retention";
import { endWithCalls, lastExchangeFrom, recentFrom, recentTyped } from "../selection";

const OURS: SettingSource = { kind: "ours", notes: ["ownPolicy"] };
const KEPT: SettingSource = { kind: "ours", notes: ["ownPolicy", "lastStays"] };

/**
 * What the policies that belong to no agent leave: the newest messages within one budget and earlier typed messages within another; a summary replaces
 * the rest. The last message stays whatever its size, together with the call that it answers.
 */
export class OwnRetention {
  /** How much of the newest messages stays. */
  readonly #recent: { readonly tokens: Tokens; readonly messages: number };
  readonly #keepUserTokens: Tokens;
  readonly #summaryTokens: Tokens;
  readonly #failSummary: unknown;

  constructor({ settings, window }: PolicyPlan) {
    const number = (key: string) => numberSetting(settings, key);
    const tokens = Math.max(number("keepRecentTokens"), window * number("keepRecentShare"));
    this.#recent = { tokens, messages: number("keepRecentMessages") };
    this.#keepUserTokens = number("keepUserTokens");
    this.#summaryTokens = number("summaryTokens");
    this.#failSummary = settings.failSummary;
  }

  of(view: ContextView): Retention {
    if (givesNoSummary(this.#failSummary, view.summaryCalls)) return unchanged(view, "failed", view.history);
    return this.succeeding(view);
  }

  /** The same whatever the settings say of its call. */
  succeeding(view: ContextView): Retention {
    const recent = recentFrom(view, this.#recent.tokens, this.#recent.messages);
    const from = Math.min(recent, lastExchangeFrom(view));
    const typed = recentTyped(view, from, this.#keepUserTokens);
    return bySummary({
      kept: [...typed.kept, ...endWithCalls(view, from)],
      truncated: typed.truncated,
      added: [summaryItem(this.#summaryTokens)],
      summaryTokens: this.#summaryTokens,
      summaryCallTokens: callSize(view.history),
    });
  }
}

/** The settings that decide what stays. */
export function keptSettings({ window }: PolicyContext): readonly SettingSpec[] {
  const recent = Math.min(20_000, window);
  return [
    { ...ownNumber("keepRecentTokens", "Keep recent", "tokens", [0, window, 500], recent), source: KEPT },
    { ...ownNumber("keepRecentShare", "Keep recent, share of the window", "share", [0, 1, 0.01], 0), source: KEPT },
    { ...ownNumber("keepRecentMessages", "Keep recent messages", "messages", [0, 200, 1], 0), source: KEPT },
    ownNumber("keepUserTokens", "Keep earlier user messages", "tokens", [0, window, 500], 0),
  ];
}

/** What every policy's settings end with, as our own take it: no output is truncated as it enters. */
export function ownSummarySettings(context: PolicyContext): readonly SettingSpec[] {
  return [
    summaryTokensSetting(context),
    failSummarySetting(),
    { ...entryTruncationSetting(false), source: { kind: "ours", notes: ["noLimit"] } },
  ];
}

type NumberUnit = Extract<SettingSpec, { type: "number" }>["unit"];

/** A setting of a policy of ours that is a number, with the two ends and the step of its slider. */
export function ownNumber(
  key: string,
  label: string,
  unit: NumberUnit,
  [min, max, step]: readonly [number, number, number],
  byDefault: number,
) {
  return { key, label, type: "number", unit, min, max, step, default: byDefault, source: OURS } as const;
}
