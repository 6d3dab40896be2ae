import { numberSpec, summarySettings } from "@/lib/core/compaction/policy/common-settings";
import type { PolicyContext } from "@/lib/core/compaction/policy/policy";
import type { InAgent, SettingSpec } from "@/lib/core/compaction/policy/settings";
import { CONDENSE_PERCENT, OUTPUT_CODE, OUTPUT_TOKENS, SETTINGS_CODE } from "./constants";

/** The rules since v3.43.0 and those before. Source: README.md, "Compaction". */
export const ROO_PRESETS = ["current", "v3.42.0"] as const;

/** The preset for a recording: a task names no version of the program. */
export function presetFor(_version: string | undefined): string {
  return ROO_PRESETS[0];
}

/** Settings of the policy, with their defaults and the defaults' sources. */
export function rooSettings(_preset: string, context: PolicyContext): readonly SettingSpec[] {
  return [
    {
      key: "condensePercent",
      label: "Trigger",
      type: "optional-number",
      unit: "percent",
      min: 5,
      max: 100,
      step: 1,
      default: CONDENSE_PERCENT,
      source: SETTINGS_CODE,
      needs: { key: "autoCondense", is: true },
      decidesWhen: true,
      inAgent: inSettings("autoCondenseContextPercent"),
    },
    {
      key: "autoCondense",
      label: "Summarise automatically",
      type: "boolean",
      default: true,
      source: SETTINGS_CODE,
      inAgent: inSettings("autoCondenseContext"),
    },
    {
      ...numberSpec(
        "maxOutputTokens",
        "Reserved for output",
        "tokens",
        [0, Math.max(64_000, context.window), 1000],
        OUTPUT_TOKENS,
        OUTPUT_CODE,
      ),
      decidesWhen: true,
    },
    // Roo Code's tools cut their own output, each by its own rule, so nothing is cut on entry.
    ...summarySettings(context, false),
  ];
}

function inSettings(key: string): InAgent {
  return { text: `"globalSettings": { "${key}": <value> }`, file: "roo-code-settings.json", source: SETTINGS_CODE };
}
