import { openClawPreset } from "../base/presets";
import { TURN_PREFIX_INSTRUCTIONS } from "./safeguard";
import { MERGE_INSTRUCTIONS } from "./summary-stages";

/**
 * What OpenClaw sends to have a history summarised, as far as it is known: the history in parts, each in calls of its own. For 2026.2.1 the
 * requests of the merging call, and of the call about the beginning of a split turn, are known to the letter; for 2026.9.6 none is. Source:
 * README.md, "Summaries".
 */
export function summaryPromptOf<Entry>(history: readonly Entry[], preset: string) {
  const isKnown = openClawPreset(preset) === "as-documented";
  return {
    system: null,
    text: isKnown ? `${MERGE_INSTRUCTIONS}\n\n---\n\n${TURN_PREFIX_INSTRUCTIONS}` : "",
    sent: history,
    notes: ["systemUnknown", "instructionsUnknown", isKnown ? "inPartsAsked" : "inParts"] as const,
  };
}
