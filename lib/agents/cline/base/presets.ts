import { summarySettings, windowEntrySetting } from "@/lib/core/compaction/policy/common-settings";
import type { PolicyContext } from "@/lib/core/compaction/policy/policy";
import type { SettingSpec } from "@/lib/core/compaction/policy/settings";
import { STATE_CODE, WINDOW_CODE } from "./constants";

/** The last release that kept sessions as tasks. Source: README.md, "Compaction". */
export const CLINE_PRESETS = ["v3.89.2"] as const;

/** The preset for a recording: a task names no version of the program. */
export function presetFor(_version: string | undefined): string {
  return CLINE_PRESETS[0];
}

/** Settings of the policy, with their defaults and the defaults' sources. */
export function clineSettings(_preset: string, context: PolicyContext): readonly SettingSpec[] {
  return [
    windowEntrySetting(context, WINDOW_CODE, {
      text: "Context Window Size: <value>",
      file: "settings of the provider OpenAI Compatible",
      source: WINDOW_CODE,
    }),
    {
      key: "autoCondense",
      label: "Summarise instead of truncating",
      type: "boolean",
      default: false,
      source: STATE_CODE,
      inAgent: { text: '"useAutoCondense": <value>', file: "~/.cline/data/globalState.json", source: STATE_CODE },
    },
    // Cline's tools cut their own output, each by its own rule, so nothing is cut on entry.
    ...summarySettings(context, false),
  ];
}
