import { numberSpec, summarySettings } from "@/lib/core/compaction/policy/common-settings";
import type { PolicyContext } from "@/lib/core/compaction/policy/policy";
import type { InAgent, SettingSpec, Source } from "@/lib/core/compaction/policy/settings";
import { KEPT_MESSAGES, RESERVED_TOKENS, TRIGGER_RATIO } from "./constants";

/** The only rule set. Source: README.md, "Compaction". */
export const KIMI_PRESETS = ["current"] as const;

/** The preset for a recording: the wire file names no version of the program. */
export function presetFor(_version: string | undefined): string {
  return KIMI_PRESETS[0];
}

const code = (file: string): Source => ({ kind: "code", text: `MoonshotAI/kimi-cli 4a550eff, src/kimi_cli/${file}` });

/** Settings of the policy, with their defaults and the defaults' sources. */
export function kimiSettings(_preset: string, context: PolicyContext): readonly SettingSpec[] {
  const config = code("config.py");
  return [
    {
      ...numberSpec("triggerShare", "Trigger", "share", [0.5, 0.99, 0.01], TRIGGER_RATIO, config),
      inAgent: inConfig("compaction_trigger_ratio", config),
      decidesWhen: true,
    },
    {
      ...numberSpec(
        "reserved",
        "Reserved",
        "tokens",
        [1000, Math.max(100_000, context.window), 1000],
        RESERVED_TOKENS,
        config,
      ),
      inAgent: inConfig("reserved_context_size", config),
      decidesWhen: true,
    },
    {
      ...numberSpec(
        "keepRecentMessages",
        "Keep recent messages",
        "messages",
        [1, 200, 1],
        KEPT_MESSAGES,
        code("soul/compaction.py"),
      ),
      inAgent: null,
    },
    // Kimi CLI's tools cut their own output, so nothing is cut on entry.
    ...summarySettings(context, false),
  ];
}

function inConfig(key: string, source: Source): InAgent {
  return { text: `loop_control.${key} = <value>`, file: "~/.kimi/config.toml", source };
}
