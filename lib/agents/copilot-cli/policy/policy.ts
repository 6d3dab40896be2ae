import { thresholdPolicy } from "@/lib/core/compaction/policies/threshold";
import { numberSetting } from "@/lib/core/compaction/policy/settings";
import { runEnd, tokensBetween } from "@/lib/core/compaction/selection";
import { from } from "@/lib/core/compaction/simulation/positions";
import { COPILOT_PRESETS, copilotSettings } from "../base/presets";

/**
 * GitHub Copilot CLI's compaction, computed from the columns, as its SDK documents it. From a share of the window on, a summary replaces the history
 * in the background; here it is ready before the next request. Source: README.md, "Policy".
 */
export const copilotPolicy = thresholdPolicy({
  id: "copilot-cli",
  label: "GitHub Copilot CLI",
  presets: COPILOT_PRESETS,
  settings: copilotSettings,
  threshold: ({ window, settings }) => Math.ceil(window * numberSetting(settings, "triggerShare")),
  size: (view) => (view.lastInput > 0 ? view.lastInput + (view.recordedOutput ?? view.lastOutput) : undefined),
  // A message typed since the compaction began is not in the summary.
  split: (view) => {
    const end = runEnd(view);
    if (end === 0) return undefined;
    const newest = tokensBetween(view, end, view.items.length);
    return { kept: from(view, end), summaryCallTokens: view.history - view.overhead - newest };
  },
});
