/** Rule sets of this agent; the first is the default. Source: systems/codex.md, first table. */
export const CODEX_PRESETS = ["as-documented", "release-2026-01", "current"] as const;
export type CodexPreset = (typeof CODEX_PRESETS)[number];

/** The preset of a name; the default where the name is unknown. */
export function codexPreset(name: string): CodexPreset {
  return CODEX_PRESETS.find((preset) => preset === name) ?? CODEX_PRESETS[0];
}

/**
 * Preset for a recording of this version. The changes of `current` that decide (items after the response in the usage, no
 * initial context before a turn, images) came between 9 and 21 February 2026: versions 0.99 to 0.105.
 * Source: systems/codex.md §12, dates; 0.104 is of 23 February in the recordings seen.
 */
export function presetFor(version: string | undefined): CodexPreset {
  const minor = /^0\.(\d+)\./.exec(version ?? "")?.[1];
  if (minor === undefined) return version === undefined || version.startsWith("0.") ? "release-2026-01" : "current";
  return Number(minor) >= 104 ? "current" : "release-2026-01";
}
