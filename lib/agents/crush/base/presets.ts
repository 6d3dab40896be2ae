import { summarySettings, windowEntrySetting } from "@/lib/core/compaction/policy/common-settings";
import type { PolicyContext } from "@/lib/core/compaction/policy/policy";
import type { SettingSpec } from "@/lib/core/compaction/policy/settings";
import { WINDOW_CODE } from "./constants";

/** The only rule set. Source: README.md, "Rules". */
export const CRUSH_PRESETS = ["current"] as const;

/** The preset for a recording: the database names no version of the program. */
export function presetFor(_version: string | undefined): string {
  return CRUSH_PRESETS[0];
}

/** Settings of the policy, with their defaults and the defaults' sources. */
export function crushSettings(_preset: string, context: PolicyContext): readonly SettingSpec[] {
  return [
    windowEntrySetting(context, WINDOW_CODE, {
      text: '"context_window": <value>',
      file: "crush.json, providers.PROVIDER.models",
      source: WINDOW_CODE,
    }),
    // Crush's tools cut their own output, each by its own rule, so nothing is cut on entry.
    ...summarySettings(context, false),
  ];
}
