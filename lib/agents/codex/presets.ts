/** Rule sets of this agent; the first is the default. Source: systems/codex.md, first table. */
export const CODEX_PRESETS = ["as-documented", "release-2026-01", "current"] as const;
export type CodexPreset = (typeof CODEX_PRESETS)[number];

/** The preset of a name; the default where the name is unknown. */
export function codexPreset(name: string): CodexPreset {
  return CODEX_PRESETS.find((preset) => preset === name) ?? CODEX_PRESETS[0];
}

/** The rules in force where the document prints no code: those of the release that it describes. */
export function whereSilent(preset: CodexPreset): CodexPreset {
  return preset === "as-documented" ? "release-2026-01" : preset;
}

/**
 * Preset for a recording of this version. The changes of `current` that decide (items after the response in the usage, no
 * initial context before a turn, images) came between 9 and 21 February 2026; version 0.104 is of 23 February in the
 * recordings seen. A recording without a version is older than that. Source: systems/codex.md §12, dates.
 */
export function presetFor(version: string | undefined): CodexPreset {
  const [, major, minor] = /^(\d+)\.(\d+)\./.exec(version ?? "") ?? [];
  if (major === undefined || minor === undefined) return "release-2026-01";
  return Number(major) > 0 || Number(minor) >= 104 ? "current" : "release-2026-01";
}
