import { qwenCodePreset } from "../base/presets";

/**
 * Messages that Qwen Code sends for a summary, in order: 0.12 sends the part before the split and one user line, `current` the whole history. That
 * line and the compression prompt, which is the call's system prompt, are not known exactly. Source: README.md, "Compaction of 0.12.0" and
 * "Compaction of 0.24.4".
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
