import type { PolicyContext } from "./policy";
import type { InAgent, SettingSource, SettingSpec, Source } from "./settings";

/**
 * Assumed size of a summary if neither the session nor the agent's documents state one.
 * Source: docs/method.md, "Simulating".
 */
export const ASSUMED_SUMMARY_TOKENS = 1500;

/**
 * Setting for the size of a summary. Its default is the mean of the session's recorded summaries, else the size that the agent documents, else 1,500
 * tokens.
 * @param documented the usual size of a summary by the agent's documents. A documented maximum is not a usual size: recorded summaries are far smaller
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

/** Setting that decides which summary calls fail. */
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

/** Setting that decides if the policy's own limit on tool outputs applies to items as they enter. */
export function entryTruncationSetting(byDefault: boolean): SettingSpec {
  return {
    key: "entryTruncation",
    label: "Truncate tool outputs on entry",
    type: "boolean",
    default: byDefault,
    source: { kind: "ours", notes: ["entryOfOthers"] },
  };
}

/** Final settings of every policy: the size of a summary, failing calls, and truncation of outputs as they enter. */
export function summarySettings(context: PolicyContext, truncatesEntries: boolean): readonly SettingSpec[] {
  return [summaryTokensSetting(context), failSummarySetting(), entryTruncationSetting(truncatesEntries)];
}

type NumberUnit = Extract<SettingSpec, { type: "number" }>["unit"];

/** Number setting, with the range and the step of its slider. */
export function numberSpec(
  key: string,
  label: string,
  unit: NumberUnit,
  [min, max, step]: readonly [min: number, max: number, step: number],
  byDefault: number,
  source: SettingSource,
) {
  return { key, label, type: "number", unit, min, max, step, default: byDefault, source } as const;
}

/** Setting for the window in the model's entry, for agents whose trigger depends on nothing else. */
export function windowEntrySetting({ window }: PolicyContext, source: Source, inAgent: InAgent): SettingSpec {
  const range = [0, Math.max(200_000, window), 1000] as const;
  return {
    ...numberSpec("contextWindow", "Context window of the model's entry", "tokens", range, window, {
      ...source,
      notes: ["modelWindow"],
    }),
    decidesWhen: true,
    inAgent,
  };
}

/** True if the next summary call fails under the setting `failSummary`. `calls` is the number of calls before it. */
export function summaryFails(failSummary: unknown, calls: number): boolean {
  if (failSummary === "always") return true;
  return Number(failSummary) === calls + 1;
}

/** True if the setting makes every summary call answer with an empty text: some programs accept it, others treat it as a failure. */
export function summaryIsEmpty(failSummary: unknown): boolean {
  return failSummary === "empty";
}

/** True if the next call fails or answers with an empty text, for programs that treat both alike. */
export function givesNoSummary(failSummary: unknown, calls: number): boolean {
  return summaryIsEmpty(failSummary) || summaryFails(failSummary, calls);
}

/** Settings of every policy, for policies that make no summary and truncate nothing. */
export function settingsWithoutEffect(context: PolicyContext): readonly SettingSpec[] {
  const source: SettingSource = { kind: "ours", notes: ["withoutEffect"] };
  return summarySettings(context, false).map((spec) => ({ ...spec, source }));
}
