import type { WrittenFile } from "@/lib/agents/shared/profile";

/** Rule sets of this agent; the first is the default. Source: README.md, "Presets". */
export const OPENCLAW_PRESETS = ["as-documented", "release-2026-02", "release-2026-05", "current"] as const;
export type OpenClawPreset = (typeof OPENCLAW_PRESETS)[number];

/** The presets with different counting rules; the other presets count like the first one. */
export const COUNTING_PRESETS = ["as-documented", "current"] as const satisfies readonly OpenClawPreset[];

/** True if a preset's compaction loses the items that the previous one kept: a defect of pi 0.51. Source: README.md, "Summarised text". */
export function losesKept(preset: OpenClawPreset): boolean {
  return preset === "release-2026-02";
}

/** The preset with a name; the default if the name is unknown. */
export function openClawPreset(name: string): OpenClawPreset {
  return OPENCLAW_PRESETS.find((preset) => preset === name) ?? OPENCLAW_PRESETS[0];
}

/** The first month of each preset's releases, in the order of the presets. Source: README.md, "Presets". */
const SINCE: readonly (readonly [preset: OpenClawPreset, year: number, month: number])[] = [
  ["current", 2026, 9],
  ["release-2026-05", 2026, 4],
  ["release-2026-02", 2026, 1],
];

/**
 * Preset for a recording of a version. No record names the release that wrote it: without a version from elsewhere (the configuration next to the
 * session, or the user), the month of the last record selects the release.
 */
export function presetFor(version: string | undefined, file?: WrittenFile): OpenClawPreset {
  const [, year, month] = /^(\d{4})[.-](\d{1,2})\b/.exec(version ?? file?.endedAt ?? "") ?? [];
  if (year === undefined || month === undefined) return OPENCLAW_PRESETS[0];
  const months = Number(year) * 12 + Number(month);
  const found = SINCE.find(([, sinceYear, sinceMonth]) => months >= sinceYear * 12 + sinceMonth);
  return found?.[0] ?? OPENCLAW_PRESETS[0];
}
