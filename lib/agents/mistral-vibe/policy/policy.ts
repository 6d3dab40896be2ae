import { thresholdPolicy } from "@/lib/core/compaction/policies/threshold";
import { numberSetting } from "@/lib/core/compaction/policy/settings";
import { recentTyped } from "@/lib/core/compaction/selection";
import { VIBE_PRESETS, vibeSettings } from "../base/presets";

/**
 * Mistral Vibe's compaction, computed from the columns. If the previous request reached a fixed size, one message replaces the whole history: the
 * newest prompts within a budget, and a summary. Source: README.md, "Policy".
 */
export const vibePolicy = thresholdPolicy({
  id: "mistral-vibe",
  label: "Mistral Vibe",
  presets: VIBE_PRESETS,
  settings: vibeSettings,
  threshold: ({ settings }) => numberSetting(settings, "autoCompactLimit") || undefined,
  size: (view) => (view.lastInput > 0 ? view.lastInput + (view.recordedOutput ?? view.lastOutput) : undefined),
  takesEmptySummary: true,
  split: (view, { settings }) => ({
    ...recentTyped(view, view.items.length, numberSetting(settings, "userMessageTokens")),
    addedAt: "back",
    summaryCallTokens: view.history,
  }),
});
