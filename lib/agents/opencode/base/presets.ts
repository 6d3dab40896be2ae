import { numberSpec, summarySettings } from "@/lib/core/compaction/policy/common-settings";
import type { PolicyContext } from "@/lib/core/compaction/policy/policy";
import type { InAgent, SettingSpec, Source } from "@/lib/core/compaction/policy/settings";
import { inJsonFile, inVariable } from "@/lib/core/compaction/policy/stored-setting";
import {
  COMPACTION_CODE,
  INPUT_LIMIT_CODE,
  MAX_OUTPUT_TOKENS,
  OVERFLOW_CODE,
  PRUNE_MINIMUM,
  PRUNE_PROTECT,
  TAIL_TURNS,
} from "./constants";

/** The only rule set: release 1.18.15. Source: README.md, "Rules". */
export const OPENCODE_PRESETS = ["current"] as const;

/** The preset for a recording. Only the trigger of the 2025 releases is known, so it is a setting and not a preset. */
export function presetFor(_version: string | undefined): string {
  return OPENCODE_PRESETS[0];
}

/** A key of opencode's configuration. */
function inConfig(key: string): InAgent {
  return inJsonFile("opencode.json", ["compaction", key], {
    ...COMPACTION_CODE,
    text: `${COMPACTION_CODE.text}, compaction.${key}`,
  });
}

/** The setting on which the pruning settings depend. */
const PRUNES = { key: "prune", is: true } as const;

/** Settings of the policy, with their defaults and the defaults' sources. */
export function opencodeSettings(_preset: string, context: PolicyContext): readonly SettingSpec[] {
  const most = Math.max(200_000, context.window);
  const tokens = (key: string, label: string, max: number, byDefault: number, source: Source): SettingSpec =>
    numberSpec(key, label, "tokens", [0, max, 500], byDefault, source);
  const optional = (key: string, label: string, source: Source): SettingSpec => ({
    key,
    label,
    type: "optional-number",
    unit: "tokens",
    min: 0,
    max: most,
    step: 500,
    default: null,
    source,
    inAgent: inConfig(key === "reserved" ? "reserved" : "preserve_recent_tokens"),
  });
  return [
    {
      key: "overflowRule",
      label: "Trigger rule",
      type: "choice",
      choices: ["current", "2025"],
      default: "current",
      decidesWhen: true,
      inAgent: null,
      source: { ...OVERFLOW_CODE, notes: ["rule2025"], values: { issue: "anomalyco/opencode#8140" } },
    },
    {
      // First among the settings that move the trigger, since only it reaches every size with every model.
      ...numberSpec("inputLimit", "Input limit of the model", "tokens", [0, most, 500], 0, INPUT_LIMIT_CODE),
      special: { value: 0, means: "unlimited" },
      source: { ...INPUT_LIMIT_CODE, notes: ["inputLimit"] },
      inAgent: {
        text: `"limit": { "context": ${context.window}, "input": <value>, "output": ${MAX_OUTPUT_TOKENS} }`,
        file: "opencode.json, provider.PROVIDER.models.MODEL",
        source: INPUT_LIMIT_CODE,
      },
    },
    optional("reserved", "Reserve below an input limit", OVERFLOW_CODE),
    {
      ...tokens("maxOutputTokens", "Longest answer", 200_000, MAX_OUTPUT_TOKENS, OVERFLOW_CODE),
      inAgent: inVariable("OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX", OVERFLOW_CODE),
    },
    {
      ...numberSpec("tailTurns", "Turns kept at most", "turns", [0, 50, 1], TAIL_TURNS, COMPACTION_CODE),
      inAgent: inConfig("tail_turns"),
    },
    optional("preserveRecentTokens", "Keep of the newest turns", COMPACTION_CODE),
    {
      key: "prune",
      label: "Clear old tool outputs",
      type: "boolean",
      default: false,
      source: COMPACTION_CODE,
      inAgent: inConfig("prune"),
    },
    {
      ...tokens("pruneProtect", "Newest tool output protected from pruning", 500_000, PRUNE_PROTECT, COMPACTION_CODE),
      needs: PRUNES,
      inAgent: null,
    },
    {
      ...tokens("pruneMinimum", "Minimum to prune", 500_000, PRUNE_MINIMUM, COMPACTION_CODE),
      needs: PRUNES,
      inAgent: null,
    },
    // opencode's tools cut their own output, each by its own rule, so nothing is cut on entry.
    ...summarySettings(context, false),
  ];
}
