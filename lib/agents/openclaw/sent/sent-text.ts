import { numberSetting, type Settings } from "@/lib/core/compaction/policy/settings";
import { CLEARED_PLACEHOLDER } from "../base/constants";
import { openClawPreset } from "../base/presets";
import { pruning202621, pruning202696 } from "../policy/pruning";
import { trimmedText } from "./prune";
import { keptOutput } from "./tool-output";
import { truncateResultText } from "./truncate-result";

/**
 * Results as they enter (within its own tools' limits, and in 2026.9.6 within the limit of a result), as pruning or a prompt that did not fit
 * left them, and the placeholder of a cleared one. Source: README.md, "Pruning" and "Tool results".
 */
export function sentTexts(preset: string, settings: Settings) {
  const rules = openClawPreset(preset);
  const { limits: limitsOf } = rules === "current" ? pruning202696 : pruning202621;
  return {
    entered: (text: string, tool: string | undefined) => {
      const output = keptOutput(text, tool);
      return rules === "current" ? truncateResultText(output, numberSetting(settings, "toolResultChars")) : output;
    },
    /** @param left share of its size; pruning leaves a size of its own, a prompt that did not fit leaves any other */
    truncated: (text: string, _tool: string | undefined, left: number) => {
      const limits = limitsOf(settings);
      const trimmed = trimmedText(text, rules, limits);
      const isPruned = rules !== "current" || Math.abs(trimmed.length - text.length * left) <= SLACK_CHARS;
      return isPruned ? trimmed : truncateResultText(text, Math.round(text.length * left));
    },
    cleared: () => CLEARED_PLACEHOLDER,
  };
}

/** Sizes are tokens of about four chars, rounded. */
const SLACK_CHARS = 8;
