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
 * Retention of the policies without an agent: the newest messages within one budget and earlier typed messages within another stay; a summary
 * replaces the rest. The last message stays at any size, together with the call that it answers.
 */
export class OwnRetention {
  /** Budget for the newest messages. */
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

  /** Retention as if the summary call succeeded, whatever the settings. */
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

/** Settings that decide the kept messages. */
export function keptSettings({ window }: PolicyContext): readonly SettingSpec[] {
  const recent = Math.min(20_000, window);
  return [
    { ...ownNumber("keepRecentTokens", "Keep recent", "tokens", [0, window, 500], recent), source: KEPT },
    { ...ownNumber("keepRecentShare", "Keep recent, share of the window", "share", [0, 1, 0.01], 0), source: KEPT },
    { ...ownNumber("keepRecentMessages", "Keep recent messages", "messages", [0, 200, 1], 0), source: KEPT },
    ownNumber("keepUserTokens", "Keep earlier user messages", "tokens", [0, window, 500], 0),
  ];
}

/** Common final settings of the policies without an agent: tool outputs are not truncated as they enter. */
export function ownSummarySettings(context: PolicyContext): readonly SettingSpec[] {
  return [
    summaryTokensSetting(context),
    failSummarySetting(),
    { ...entryTruncationSetting(false), source: { kind: "ours", notes: ["noLimit"] } },
  ];
}

type NumberUnit = Extract<SettingSpec, { type: "number" }>["unit"];

/** Number setting of our own policies, with the range and the step of its slider. */
export function ownNumber(
  key: string,
  label: string,
  unit: NumberUnit,
  [min, max, step]: readonly [number, number, number],
  byDefault: number,
) {
  return { key, label, type: "number", unit, min, max, step, default: byDefault, source: OURS } as const;
}
