import { numberSpec, summarySettings } from "@/lib/core/compaction/policy/common-settings";
import type { PolicyContext } from "@/lib/core/compaction/policy/policy";
import type { InAgent, SettingSpec } from "@/lib/core/compaction/policy/settings";
import { COMPACTION_CODE, PRUNER_CODE, RETAIN_SHARE, TRIGGER_SHARE } from "./constants";

/** The only rule set, before any release. Source: README.md, "Rules". */
export const DSH_PRESETS = ["current"] as const;

/** The preset for a recording: every header has the same version. */
export function presetFor(_version: string | undefined): string {
  return DSH_PRESETS[0];
}

/** Settings of the policy, with their defaults and the defaults' sources. */
export function dshSettings(_preset: string, context: PolicyContext): readonly SettingSpec[] {
  return [
    {
      ...numberSpec("triggerShare", "Trigger", "share", [0.05, 1, 0.01], TRIGGER_SHARE, COMPACTION_CODE),
      decidesWhen: true,
      inAgent: inConfig("thresholdRatio"),
    },
    {
      ...numberSpec("keepRecentShare", "Keep recent, share", "share", [0, 1, 0.01], RETAIN_SHARE, COMPACTION_CODE),
      inAgent: inConfig("retainRatio"),
    },
    {
      key: "prune",
      label: "Prune old results",
      type: "boolean",
      default: true,
      source: PRUNER_CODE,
    },
    // The program's tools cut their own output, so nothing is cut on entry.
    ...summarySettings(context, false),
  ];
}

/** An option of the plug-in in the agent's configuration. */
function inConfig(key: string): InAgent {
  return { text: `${key}: <value>`, file: "agent.cordis.yml, compaction-basic", source: COMPACTION_CODE };
}
