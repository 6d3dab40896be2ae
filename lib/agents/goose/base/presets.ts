import { numberSpec, summarySettings } from "@/lib/core/compaction/policy/common-settings";
import type { PolicyContext } from "@/lib/core/compaction/policy/policy";
import type { SettingSpec } from "@/lib/core/compaction/policy/settings";
import { COMPACTION_CODE, COMPACTION_THRESHOLD } from "./constants";

/** The only rule set. Source: README.md, "Rules". */
export const GOOSE_PRESETS = ["current"] as const;

/** The preset for a recording: no record names a version of the program. */
export function presetFor(_version: string | undefined): string {
  return GOOSE_PRESETS[0];
}

/** Settings of the policy, with their defaults and the defaults' sources. */
export function gooseSettings(_preset: string, context: PolicyContext): readonly SettingSpec[] {
  return [
    {
      ...numberSpec("triggerShare", "Trigger", "share", [0.05, 0.99, 0.01], COMPACTION_THRESHOLD, COMPACTION_CODE),
      decidesWhen: true,
      inAgent: {
        text: "GOOSE_AUTO_COMPACT_THRESHOLD: <value>",
        file: "~/.config/goose/config.yaml",
        source: COMPACTION_CODE,
      },
    },
    // Goose's tools cut their own output, so nothing is cut on entry.
    ...summarySettings(context, false),
  ];
}
