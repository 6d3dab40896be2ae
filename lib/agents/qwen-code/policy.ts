import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { byRules } from "@/lib/core/compaction/by-rules";
import type { Policy, PolicyPlan } from "@/lib/core/compaction/policy";
import { numberSetting, type Settings } from "@/lib/core/compaction/settings";
import { autocompactBuffer, CHARS_PER_TOKEN, RESPONSE_CHARS } from "./constants";
import { compactCurrent, currentTrigger } from "./policy-current";
import { compactDocumented, documentedTrigger } from "./policy-documented";
import { thresholdsOf } from "./policy-view";
import { QWEN_CODE_PRESETS, qwenCodeSettings } from "./presets";

/** Measures that this policy and the breakdown read where they are there; `qwenCodeMeasures` of the server half computes them. */
const QWEN_CODE_MEASURES = [
  "qwen-code.jsonChars",
  "qwen-code.enteredJsonChars",
  "qwen-code.outputChars",
  "qwen-code.fileChars",
  "qwen-code.image",
  "qwen-code.entered",
  "qwen-code.enteredCurrent",
  "qwen-code.billed",
  "qwen-code.callChars",
  "qwen-code.fence",
] as const;
export type QwenCodeMeasure = (typeof QWEN_CODE_MEASURES)[number];

/** Qwen Code's compaction over numbers. Source: README.md, "Compaction of 0.12.0" (as-documented), "Compaction of 0.24.4" and "Cleared results" (current). */
export const qwenCodePolicy: Policy = {
  id: "qwen-code",
  label: "Qwen Code",
  presets: QWEN_CODE_PRESETS,
  measures: QWEN_CODE_MEASURES,
  settings: qwenCodeSettings,
  entryRule: { settings: ["keepToolResults"], tokens: entryTokens },
  threshold: ({ window, settings }) => threshold(window, settings),
  looksBack: ({ settings }) => isCurrent(settings),
  begin: byRules({
    shouldCompact: (view, settings) =>
      isCurrent(settings) ? currentTrigger(view, settings) : documentedTrigger(view, settings),
    compact: (view, settings) =>
      isCurrent(settings) ? compactCurrent(view, settings) : compactDocumented(view, settings),
  }),
};

/** `current` is the only preset that clears results. */
function isCurrent(settings: Settings): boolean {
  return settings.keepToolResults !== undefined;
}

/** Drawn so that what is left of the window is the buffer that `/context` shows, rounded as there. */
function threshold(window: Tokens, settings: Settings): Tokens {
  if (isCurrent(settings)) return window - Math.max(0, Math.round(window - thresholdsOf(window, settings).auto));
  return window - autocompactBuffer(window, numberSetting(settings, "threshold"));
}

/** A tool's output as it enters under the limits that are set by default; measured on the text, so here it is a size. */
function entryTokens({ columns, settings }: PolicyPlan, item: ItemIndex, tokens: Tokens): Tokens {
  const measure = isCurrent(settings) ? "qwen-code.enteredCurrent" : "qwen-code.entered";
  const entered = columns.measures[measure]?.[item] ?? 0;
  const chars = columns.chars[item] ?? 0;
  if (entered === 0 || chars === 0) return tokens;
  // Where several parts share a content's size, a share is rounded up or down.
  const isOwnCount = Math.abs(tokens - (chars + RESPONSE_CHARS) / CHARS_PER_TOKEN) < 1;
  return isOwnCount ? Math.ceil((entered + RESPONSE_CHARS) / CHARS_PER_TOKEN) : Math.ceil((tokens * entered) / chars);
}
