import { qwenCodePreset } from "./presets";

/**
 * The order of what Qwen Code sends: 0.12 the part in front of the split and one line of the user's, `current` the whole
 * history. The compression prompt, which is the call's system prompt, and that line are not known to the letter.
 * Source: README.md, "Compaction of 0.12.0" and "Compaction of 0.24.4".
 */
export function summaryPromptOf<Entry>(
  history: readonly Entry[],
  preset: string,
  _format: string,
  { whole }: { readonly whole: readonly Entry[] },
) {
  const sent = qwenCodePreset(preset) === "current" ? whole : history;
  return { system: null, text: "", sent, notes: ["systemUnknown", "instructionsUnknown"] as const };
}
