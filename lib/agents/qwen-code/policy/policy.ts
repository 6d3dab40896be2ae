import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import type { Policy, PolicyPlan } from "@/lib/core/compaction/policy/policy";
import { CHARS_PER_TOKEN, RESPONSE_CHARS } from "../base/constants";
import { QWEN_CODE_PRESETS, type QwenCodePreset, qwenCodePreset, qwenCodeSettings } from "../base/presets";
import { asDocumented } from "./as-documented";
import { current } from "./current";
import { QWEN_CODE_MEASURES } from "./measures";
import type { Release } from "./release";

const RELEASES: Readonly<Record<QwenCodePreset, Release>> = { "as-documented": asDocumented, current };

function releaseOf({ preset }: Pick<PolicyPlan, "preset">): Release {
  return RELEASES[qwenCodePreset(preset)];
}

/** Qwen Code's compaction over numbers. Source: README.md, "Compaction of 0.12.0" (as-documented), "Compaction of 0.24.4" and "Cleared results" (current). */
export const qwenCodePolicy: Policy = {
  id: "qwen-code",
  label: "Qwen Code",
  presets: QWEN_CODE_PRESETS,
  presetDates: { current: "2026-09" },
  measures: QWEN_CODE_MEASURES,
  settings: qwenCodeSettings,
  entryRule: { settings: [], tokens: entryTokens },
  threshold: (chosen) => releaseOf(chosen).threshold(chosen),
  looksBack: (chosen) => releaseOf(chosen).looksBack,
  begin: (plan) => releaseOf(plan).begin(plan),
};

/** Tokens of a tool's output as it enters under the default limits. It was measured on the text, so only its size is needed here. */
function entryTokens(plan: PolicyPlan, item: ItemIndex, tokens: Tokens): Tokens {
  const { measures, chars: allChars } = plan.columns;
  const entered = measures[releaseOf(plan).enteredMeasure]?.[item] ?? 0;
  const chars = allChars[item] ?? 0;
  if (entered === 0 || chars === 0) return tokens;
  // Where several parts share a content's size, each share is rounded up or down.
  const isOwnCount = Math.abs(tokens - (chars + RESPONSE_CHARS) / CHARS_PER_TOKEN) < 1;
  return isOwnCount ? Math.ceil((entered + RESPONSE_CHARS) / CHARS_PER_TOKEN) : Math.ceil((tokens * entered) / chars);
}
