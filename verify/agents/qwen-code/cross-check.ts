import { QWEN_CODE_PRESETS, type QwenCodePreset } from "@/lib/agents/qwen-code/base/presets";
import { qwenCodeContentEstimator, qwenCodeMeasures, toolOf } from "@/lib/agents/qwen-code/estimator";
import { answerOf, type Part, responseOf } from "@/lib/agents/qwen-code/messages/content";
import { qwenCodePolicy } from "@/lib/agents/qwen-code/policy/policy";
import type { NativePart } from "@/lib/agents/qwen-code/read/native";
import { enteredText } from "@/lib/agents/qwen-code/sent/entry-limits";
import { objectOf } from "@/lib/agents/shared/json";
import { sumOf } from "@/lib/core/base/numbers";
import type { Tokens } from "@/lib/core/base/units";
import type { Message } from "@/lib/core/transcript/model";
import { type CheckedAgent, type CheckedRun, crossCheckOf } from "@/verify/support/checked-agent";
import { compareChanges } from "@/verify/support/compared-changes";
import type { LoadedRecording } from "@/verify/support/loaded-recording";
import type { Variant } from "@/verify/support/variant";
import { ExactRun } from "./exact-run";
import { currentRule, documentedRule, MIN_SUMMARY_TOKENS, SUMMARY_TOKENS } from "./rules";

/**
 * Compares Qwen Code's two layers over one recording of any agent: the policy over numbers, run by the engine, and the exact functions over the
 * contents made of the recording. They must agree on which requests change the history and how, on every kept row, on every cleared result, and on
 * the context before, after and at every request.
 *
 * Some differences follow from the construction: Qwen Code rounds each content up once, while the policy's numbers divide the recording's messages.
 * While they are in the context, these differ: a response that the recording splits into several messages, by one token per part; calls that join the
 * acknowledgement, by one per call and one for the acknowledgement; a content that lost results or had parts cleared, by one, and by one per
 * placeholder. In both layers, a result is dropped with its call, by the engine's rule.
 */
export const checked: CheckedAgent<QwenCodePreset> = {
  policy: qwenCodePolicy,
  presets: QWEN_CODE_PRESETS,
  estimatorOf: () => qwenCodeContentEstimator,
  measures: qwenCodeMeasures,
  variants: variantsOf,
  summaryTokens: SUMMARY_TOKENS,
  leastVaried: { summaryTokens: MIN_SUMMARY_TOKENS },
  exactSide: () => exactSide,
};

export const crossCheck = crossCheckOf(checked);

/** So large that a small share of it is far below the hard limit, which a single attempt does not check. */
const LARGE_WINDOW: Tokens = 4_000_000;

function variantsOf({ tokens, overhead, agent }: LoadedRecording, preset: QwenCodePreset): readonly Variant[] {
  const isForeign = agent !== "qwen-code";
  const messages = sumOf(tokens) - overhead;
  const limit = (parts: number) => overhead + Math.max(60, Math.floor(messages / parts));
  if (preset === "as-documented") {
    const tight = (label: string, parts: number, given: Variant["given"]) => ({
      label,
      window: Math.ceil(limit(parts) / 0.7),
      given,
    });
    return [
      { label: "defaults", window: 131_072, given: {} },
      tight("a quarter", 4, {}),
      tight("an eighth, much stays", 8, { preserve: 0.6, usageField: "total" }),
      tight("a quarter, the second summary fails", 4, { failSummary: "2" }),
      tight("a quarter, every summary fails", 4, { failSummary: "always" }),
      tight("a quarter, every summary is empty", 4, { failSummary: "empty" }),
      tight("a quarter, summaries larger than the replaced history", 4, { summaryTokens: 19_000 }),
      tight("a sixth, the other way with outputs", 6, { entryTruncation: !isForeign }),
      tight("a third, outputs cut, a half stays", 3, { entryTruncation: true, preserve: 0.5 }),
      tight("a quarter, requests refused above a limit of the session", 4, { sessionTokenLimit: limit(5) }),
    ];
  }
  const never = { clearAboveChars: -1, clearIdleMinutes: -1 };
  const tight = (label: string, parts: number, given: Variant["given"]) => ({
    label,
    window: LARGE_WINDOW,
    given: { ...never, threshold: limit(parts) / LARGE_WINDOW, ...given },
  });
  /** So small that the pending messages may reach the hard limit, which is 3,000 above the other limit. */
  const near = (label: string, parts: number, given: Variant["given"]) => ({
    label,
    window: limit(parts) + 5000,
    given: { ...never, threshold: limit(parts) / (limit(parts) + 5000), ...given },
  });
  const clearing = { clearAboveChars: Math.max(1500, Math.floor(messages / 4)), keepToolResults: 2 };
  return [
    { label: "defaults", window: 200_000, given: {} },
    tight("a quarter", 4, {}),
    tight("an eighth, no files", 8, { restoreFiles: 0 }),
    tight("a sixth, one picture", 6, { restoreImages: 1 }),
    tight("twice, two pictures of tools", 0.5, { imageTrigger: 2, restoreImages: 1 }),
    tight("a third, summaries that use up their budget", 3, { summaryTokens: 20_000 }),
    near("a quarter, requests above the hard limit refused", 4, {}),
    near("a quarter, the same where every summary fails", 4, { failSummary: "always" }),
    near("a half, the same with little room for a summary", 2, { summaryTokens: 400 }),
    tight("a quarter, clearing", 4, clearing),
    tight("a quarter, clearing, the second summary fails", 4, { ...clearing, failSummary: "2" }),
    tight("a quarter, clearing, every summary is empty", 4, { ...clearing, failSummary: "empty" }),
    tight("twice, clearing", 0.5, clearing),
    tight("twice, clearing after a minute", 0.5, { clearIdleMinutes: 1, keepToolResults: 1 }),
    tight("a quarter, clearing after a minute", 4, { clearIdleMinutes: 1, keepToolResults: 1 }),
    tight("a sixth, the second summary fails", 6, { failSummary: "2" }),
    tight("a sixth, every summary is empty", 6, { failSummary: "empty" }),
    tight("a sixth, summaries larger than the replaced history", 6, { summaryTokens: 19_000 }),
    tight("a sixth, every summary fails", 6, { failSummary: "always" }),
    tight("whatever the size", 1, { threshold: 0 }),
    tight("a quarter, clearing, the other way with outputs", 4, { ...clearing, entryTruncation: !isForeign }),
  ];
}

async function exactSide(run: CheckedRun<QwenCodePreset>): Promise<void> {
  const { preset, recording, settings, window, comparison } = run;
  const rule = preset === "current" ? currentRule(settings, window) : documentedRule(settings, window);
  const entered = settings.entryTruncation === true ? enteredPart(preset) : asRecorded;
  const exact = await new ExactRun(recording, rule, entered, preset === "current").run();
  comparison.met("outputs cut as they enter", exact.cutOutputs);
  for (const outcome of exact.clearedFirst) comparison.met(`cleared before: ${outcome}`);
  comparison.met("pictures cleared that were put back", exact.clearedPutBack);
  compareChanges(run, exact);
}

const asRecorded = (_message: Message, { part }: NativePart): Part => part;

/** A part whose output is truncated to the program's own limits. */
function enteredPart(preset: QwenCodePreset) {
  return (message: Message, native: NativePart): Part => {
    const { part } = native;
    const response = responseOf(part);
    const { output } = answerOf(response);
    if (response === undefined || typeof output !== "string") return part;
    const entered = enteredText(toolOf(message, native), output, preset);
    if (entered === output) return part;
    return {
      ...part,
      functionResponse: { ...response, response: { ...objectOf(response.response), output: entered } },
    };
  };
}
