/** Rule sets of this agent; the first is the default. Source: systems/qwen-code.md, first table. */
export const QWEN_CODE_PRESETS = ["as-documented", "current"] as const;
export type QwenCodePreset = (typeof QWEN_CODE_PRESETS)[number];

/** The preset of a name; the default where the name is unknown. */
export function qwenCodePreset(name: string): QwenCodePreset {
  return QWEN_CODE_PRESETS.find((preset) => preset === name) ?? QWEN_CODE_PRESETS[0];
}

/** First minor version of 0.x whose package holds none of the split rule's names. */
const REDESIGNED_FROM = 21;

/**
 * Preset for a recording of this version. Up to 0.15.10 the packages hold the split rule, from 0.21.2 on they do not; of
 * the versions between none was read, so the older rule holds until the newer one is seen. Without a version: the older.
 */
export function presetFor(version: string | undefined): QwenCodePreset {
  const [, major, minor] = /^v?(\d+)\.(\d+)\./.exec(version ?? "") ?? [];
  if (major === undefined || minor === undefined) return "as-documented";
  return Number(major) > 0 || Number(minor) >= REDESIGNED_FROM ? "current" : "as-documented";
}
