/** Rule sets of this agent; the first is the default. Source: README.md. */
export const MINI_PRESETS = ["as-documented", "current"] as const;
export type MiniPreset = (typeof MINI_PRESETS)[number];

/** The preset of a name; the default where the name is unknown. */
export function miniPreset(name: unknown): MiniPreset {
  return MINI_PRESETS.find((preset) => preset === name) ?? MINI_PRESETS[0];
}

/** Preset for a recording: a history names no version, so it is the default. */
export function presetFor(_version: string | undefined): MiniPreset {
  return MINI_PRESETS[0];
}
