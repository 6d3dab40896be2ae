/** Rule sets of this agent; the first is the default. Source: README.md, "Presets". */
export const OPENCLAW_PRESETS = ["as-documented", "current"] as const;
export type OpenClawPreset = (typeof OPENCLAW_PRESETS)[number];

/** The preset with a name; the default where the name is unknown. */
export function openClawPreset(name: string): OpenClawPreset {
  return OPENCLAW_PRESETS.find((preset) => preset === name) ?? OPENCLAW_PRESETS[0];
}

/**
 * Preset for a recording of a version. No record names the release that wrote it, so a version is known only where somebody supplies one (the
 * session store, a person). The rules of `current` were seen from 2026.9 on; of the releases between, only constants are known. Source:
 * README.md, "Rules".
 */
export function presetFor(version: string | undefined): OpenClawPreset {
  const [, year, month] = /^(\d{4})\.(\d{1,2})\b/.exec(version ?? "") ?? [];
  if (year === undefined || month === undefined) return "as-documented";
  return Number(year) * 12 + Number(month) >= 2026 * 12 + 9 ? "current" : "as-documented";
}
