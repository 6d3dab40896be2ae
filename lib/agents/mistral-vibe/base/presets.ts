import { numberSpec, summarySettings } from "@/lib/core/compaction/policy/common-settings";
import type { PolicyContext } from "@/lib/core/compaction/policy/policy";
import type { InAgent, SettingSpec, Source } from "@/lib/core/compaction/policy/settings";

/** The only rule set. Source: README.md, "Policy". */
export const VIBE_PRESETS = ["v2.18.4"] as const;

/** The preset for a recording: the messages name no version of the program. */
export function presetFor(_version: string | undefined): string {
  return VIBE_PRESETS[0];
}

/** Names a place in the program as a source. */
const code = (file: string): Source => ({ kind: "code", text: `mistralai/mistral-vibe v2.18.4, vibe/core/${file}` });

export const CONFIG_CODE = code("config/_defaults.py");
export const COMPACTION_CODE = code("compaction.py");

/** Size at which a compaction starts, whatever the window. */
export const COMPACT_THRESHOLD = 200_000;
/** Budget for earlier prompts, in addition to the summary. */
export const USER_MESSAGE_TOKENS = 20_000;

/** Settings of the policy, with their defaults and the defaults' sources. */
export function vibeSettings(_preset: string, context: PolicyContext): readonly SettingSpec[] {
  const largest = Math.max(1_000_000, context.window);
  const inConfig: InAgent = {
    text: "auto_compact_threshold = <value>",
    file: "~/.vibe/config.toml",
    source: CONFIG_CODE,
  };
  return [
    {
      ...numberSpec("autoCompactLimit", "Compact at", "tokens", [0, largest, 1000], COMPACT_THRESHOLD, CONFIG_CODE),
      special: { value: 0, means: "never" },
      decidesWhen: true,
      inAgent: inConfig,
    },
    {
      ...numberSpec(
        "userMessageTokens",
        "Keep user messages",
        "tokens",
        [0, largest, 1000],
        USER_MESSAGE_TOKENS,
        COMPACTION_CODE,
      ),
      inAgent: null,
    },
    // Vibe's tools cut their own output, so nothing is cut on entry.
    ...summarySettings(context, false),
  ];
}
