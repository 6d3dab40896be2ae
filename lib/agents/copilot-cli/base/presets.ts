import { numberSpec, summarySettings } from "@/lib/core/compaction/policy/common-settings";
import type { PolicyContext } from "@/lib/core/compaction/policy/policy";
import type { SettingSpec, Source } from "@/lib/core/compaction/policy/settings";

/** The program is closed: its SDK documents the threshold. Source: README.md, "Policy". */
export const COPILOT_PRESETS = ["as-documented"] as const;

/** The preset for a recording of any release. */
export function presetFor(_version: string | undefined): string {
  return COPILOT_PRESETS[0];
}

/** Share of the window at which a compaction in the background starts. */
export const TRIGGER_SHARE = 0.8;

export const SDK_DOCUMENT: Source = {
  kind: "document",
  text: "github/copilot-sdk cc0438d6, nodejs/src/types.ts, InfiniteSessionConfig",
};

/** Settings of the policy, with their defaults and the defaults' sources. */
export function copilotSettings(_preset: string, context: PolicyContext): readonly SettingSpec[] {
  return [
    {
      ...numberSpec("triggerShare", "Trigger", "share", [0, 1, 0.01], TRIGGER_SHARE, SDK_DOCUMENT),
      decidesWhen: true,
      inAgent: {
        text: "infiniteSessions: { backgroundCompactionThreshold: <value> }",
        file: "options of the SDK's createSession",
        source: SDK_DOCUMENT,
      },
    },
    ...summarySettings(context, false),
  ];
}
