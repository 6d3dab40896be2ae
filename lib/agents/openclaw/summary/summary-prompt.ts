import { openClawPreset } from "../presets";
import { TURN_PREFIX_INSTRUCTIONS } from "./safeguard";
import { MERGE_INSTRUCTIONS } from "./summary-stages";

/**
 * What OpenClaw sends to have a history summarised, as far as it is known: the history in parts, each in calls of its own. Of
 * 2026.2.1 what the merging call and that over the beginning of a split turn are asked is known to the letter, of 2026.9.6
 * nothing is. Source: README.md, "Summaries".
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
