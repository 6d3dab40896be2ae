import { numberSpec, summarySettings } from "@/lib/core/compaction/policy/common-settings";
import type { PolicyContext } from "@/lib/core/compaction/policy/policy";
import type { InAgent, SettingSpec } from "@/lib/core/compaction/policy/settings";
import {
  COMPRESSOR_CODE,
  CONFIG_CODE,
  MAX_TARGET_SHARE,
  MIN_TARGET_SHARE,
  PROTECT_FIRST,
  PROTECT_LAST,
  TARGET_SHARE,
  TRIGGER_SHARE,
} from "./constants";

/** The only rule set. Source: README.md, "Rules". */
export const HERMES_PRESETS = ["v0.18.0"] as const;

/** The preset for a recording: the database names no version of the program. */
export function presetFor(_version: string | undefined): string {
  return HERMES_PRESETS[0];
}

/** Settings of the policy, with their defaults and the defaults' sources. */
export function hermesSettings(_preset: string, context: PolicyContext): readonly SettingSpec[] {
  return [
    {
      ...numberSpec("triggerShare", "Trigger", "share", [0.05, 0.99, 0.01], TRIGGER_SHARE, CONFIG_CODE),
      inAgent: inConfig("threshold"),
    },
    {
      ...numberSpec(
        "retain",
        "Kept share",
        "share",
        [MIN_TARGET_SHARE, MAX_TARGET_SHARE, 0.01],
        TARGET_SHARE,
        CONFIG_CODE,
      ),
      inAgent: inConfig("target_ratio"),
    },
    {
      ...numberSpec("protectFirst", "First messages kept", "messages", [0, 50, 1], PROTECT_FIRST, CONFIG_CODE),
      inAgent: inConfig("protect_first_n"),
    },
    {
      ...numberSpec("protectLast", "Recent messages not shortened", "messages", [0, 100, 1], PROTECT_LAST, CONFIG_CODE),
      inAgent: inConfig("protect_last_n"),
    },
    numberSpec(
      "maxOutputTokens",
      "Reserved for output",
      "tokens",
      [0, Math.max(64_000, context.window), 1000],
      0,
      COMPRESSOR_CODE,
    ),
    {
      key: "abortOnFailure",
      label: "Keep the history if the call fails",
      type: "boolean",
      default: false,
      source: CONFIG_CODE,
      inAgent: inConfig("abort_on_summary_failure"),
    },
    // Hermes' tools cut their own output, each by its own rule, so nothing is cut on entry.
    ...summarySettings(context, false),
  ];
}

function inConfig(key: string): InAgent {
  return { text: `compression: { ${key}: <value> }`, file: "~/.hermes/config.yaml", source: CONFIG_CODE };
}
