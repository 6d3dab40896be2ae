import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { isUnanswered, ORIGIN, type SessionColumns } from "@/lib/core/columns/columns";
import type { Policy, PolicyPlan } from "@/lib/core/compaction/policy/policy";
import { CHARS_PER_TOKEN, MISSING_RESULT, RESPONSE_CHARS } from "../base/constants";
import { QWEN_CODE_PRESETS, type QwenCodePreset, qwenCodePreset, qwenCodeSettings } from "../base/presets";
import { asDocumented } from "./as-documented";
import { current } from "./current";
import { PART, QWEN_CODE_MEASURES } from "./measures";
import type { Release } from "./release";

const RELEASES: Readonly<Record<QwenCodePreset, Release>> = { "as-documented": asDocumented, current };

function releaseOf({ preset }: Pick<PolicyPlan, "preset">): Release {
  return RELEASES[qwenCodePreset(preset)];
}

/**
 * Qwen Code's compaction, computed from the columns. Source: README.md, "Compaction of 0.12.0" (as-documented), "Compaction of 0.24.4" and "Cleared
 * results" (current).
 */
export const qwenCodePolicy: Policy = {
  id: "qwen-code",
  label: "Qwen Code",
  presets: QWEN_CODE_PRESETS,
  presetDates: { current: "2026-09" },
  measures: QWEN_CODE_MEASURES,
  settings: qwenCodeSettings,
  entryRule: { settings: [], tokens: entryTokens },
  pairedTokens,
  threshold: (chosen) => releaseOf(chosen).threshold(chosen),
  thresholdRule: (chosen) => releaseOf(chosen).thresholdRule,
  looksBack: (chosen) => releaseOf(chosen).looksBack,
  begin: (plan) => releaseOf(plan).begin(plan),
};

/** Tokens of a tool's output as it enters under the default limits. The text was measured earlier, so only its size is needed here. */
function entryTokens(plan: PolicyPlan, item: ItemIndex, tokens: Tokens): Tokens {
  const { measures, chars: allChars } = plan.columns;
  const entered = measures[releaseOf(plan).enteredMeasure]?.[item] ?? 0;
  const chars = allChars[item] ?? 0;
  if (entered === 0 || chars === 0) return tokens;
  // Where several parts share a content's size, each share is rounded up or down.
  const isOwnCount = Math.abs(tokens - (chars + RESPONSE_CHARS) / CHARS_PER_TOKEN) < 1;
  return isOwnCount ? Math.ceil((entered + RESPONSE_CHARS) / CHARS_PER_TOKEN) : Math.ceil((tokens * entered) / chars);
}

/** Size of the error generated for a call without a result. */
const STAND_IN_TOKENS: Tokens = Math.ceil((MISSING_RESULT.length + RESPONSE_CHARS) / CHARS_PER_TOKEN);

/** In `current`, a call without a result is sent with an error, and only the first of several results of a call is sent. */
function pairedTokens(
  { columns, preset }: Pick<PolicyPlan, "columns" | "preset">,
  item: ItemIndex,
  tokens: Tokens,
): Tokens {
  if (qwenCodePreset(preset) !== "current") return tokens;
  if (isRepeated(columns, item)) return 0;
  return tokens + (isUnanswered(columns, item) ? STAND_IN_TOKENS : 0);
}

/** True if an item is a further result of a call before the next response, or within one. */
function isRepeated({ pair, origin, measures }: SessionColumns, item: ItemIndex): boolean {
  const parts = measures["qwen-code.part"];
  let row = item;
  while (((parts?.[row] ?? 0) & PART.WITHIN) !== 0) row -= 1;
  if (((parts?.[row] ?? 0) & PART.OWN) === 0) return false;
  const first = pair[pair[row] ?? -1] ?? row;
  return first !== row && !origin.subarray(first, row).includes(ORIGIN.response);
}
