import type { PolicyContext } from "./policy";
import type { SettingSource, SettingSpec } from "./settings";

/**
 * Size assumed for a summary where neither the session nor the agent's documents give one.
 * Source: docs/method.md, "Simulating".
 */
export const ASSUMED_SUMMARY_TOKENS = 1500;

/**
 * Summary size: the mean of this session's recorded summaries, else the agent's documented size, else 1,500 tokens.
 * @param documented what its summaries come to. Not the most that they may have, which is all that an agent's documents say so far:
 *   recorded ones stay far below it
 */
export function summaryTokensSetting(
  context: PolicyContext,
  documented?: { tokens: number; source: string },
): SettingSpec {
  const recorded = context.recordedSummary;
  const source =
    recorded !== undefined
      ? { kind: "ours" as const, notes: ["recordedMean"] }
      : documented !== undefined
        ? { kind: "document" as const, text: documented.source }
        : { kind: "ours" as const, notes: ["assumed"] };
  return {
    key: "summaryTokens",
    label: "Summary size",
    type: "number",
    unit: "tokens",
    min: 0,
    max: 50_000,
    step: 50,
    default: recorded?.mean ?? documented?.tokens ?? ASSUMED_SUMMARY_TOKENS,
    ...(recorded === undefined ? {} : { observed: [recorded.low, recorded.high] as const }),
    source,
  };
}

/** Whether and which summary calls fail. */
export function failSummarySetting(): SettingSpec {
  return {
    key: "failSummary",
    label: "Summary call fails",
    type: "choice",
    choices: ["never", "always", "empty", "1", "2", "3", "4", "5"],
    orCount: true,
    default: "never",
    source: { kind: "ours", notes: ["failureScenario"] },
  };
}

/** Whether the policy's own limit on tool outputs is applied to items as they enter. */
export function entryTruncationSetting(byDefault: boolean): SettingSpec {
  return {
    key: "entryTruncation",
    label: "Truncate tool outputs on entry",
    type: "boolean",
    default: byDefault,
    source: { kind: "ours", notes: ["entryOfOthers"] },
  };
}

/** Whether the next summary call fails under the setting `failSummary`. `calls` counts those before. */
export function summaryFails(failSummary: unknown, calls: number): boolean {
  if (failSummary === "always") return true;
  return Number(failSummary) === calls + 1;
}

/** Whether every summary call answers with an empty text under that setting: some programs take it, to others it is a failure. */
export function summaryIsEmpty(failSummary: unknown): boolean {
  return failSummary === "empty";
}

/** Whether the next call fails or answers with nothing: one and the same to a program that asks whether there is a summary. */
export function givesNoSummary(failSummary: unknown, calls: number): boolean {
  return summaryIsEmpty(failSummary) || summaryFails(failSummary, calls);
}

/** The settings that every policy takes, for those that make no summary and truncate nothing. */
export function settingsWithoutEffect(context: PolicyContext): readonly SettingSpec[] {
  const source: SettingSource = { kind: "ours", notes: ["withoutEffect"] };
  return [summaryTokensSetting(context), failSummarySetting(), entryTruncationSetting(false)].map((spec) => ({
    ...spec,
    source,
  }));
}
