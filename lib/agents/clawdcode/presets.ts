/** Rule sets of this agent; the first is the default. Source: systems/clawdcode.md, first table. */
export const CLAWDCODE_PRESETS = ["as-documented", "current"] as const;
export type ClawdcodePreset = (typeof CLAWDCODE_PRESETS)[number];

/** The preset of a name; the default where the name is unknown. */
export function clawdcodePreset(name: unknown): ClawdcodePreset {
  return CLAWDCODE_PRESETS.find((preset) => preset === name) ?? CLAWDCODE_PRESETS[0];
}

/** Preset for a recording of this version: the program is at 1.8.0, the document's own records say 0.1.0 or nothing. */
export function presetFor(version: string | undefined): ClawdcodePreset {
  const [, major] = /^(\d+)\./.exec(version ?? "") ?? [];
  return major !== undefined && Number(major) > 0 ? "current" : "as-documented";
}
