import type { Tokens } from "@/lib/core/base/units";
import { numberSpec, summarySettings } from "@/lib/core/compaction/policy/common-settings";
import type { PolicyContext } from "@/lib/core/compaction/policy/policy";
import type { SettingSpec, Source } from "@/lib/core/compaction/policy/settings";
import { inJsonFile } from "@/lib/core/compaction/policy/stored-setting";
import {
  COMPRESSION_CODE,
  MASK_MINIMUM_TOKENS,
  MASK_PROTECTED_TOKENS,
  MASKING_CODE,
  PRESERVE,
  THRESHOLD,
  TOOL_RESPONSE_TOKENS,
} from "./constants";

/** The only rule set: release 0.61.0. Source: README.md, "Rules". */
export const GEMINI_PRESETS = ["current"] as const;

/** Preset for a recording, whose file names no version. */
export function presetFor(_version: string | undefined): string {
  return GEMINI_PRESETS[0];
}

/** Settings of the policy, with their defaults and the defaults' sources. */
export function geminiSettings(_preset: string, context: PolicyContext): readonly SettingSpec[] {
  const share = (key: string, label: string, byDefault: number) =>
    numberSpec(key, label, "share", [0.01, 0.99, 0.01], byDefault, COMPRESSION_CODE);
  return [
    {
      ...share("threshold", "Compress at", THRESHOLD),
      inAgent: inJsonFile("~/.gemini/settings.json", ["model", "compressionThreshold"], {
        ...COMPRESSION_CODE,
        text: `${COMPRESSION_CODE.text}, model.compressionThreshold`,
      }),
    },
    { ...share("preserve", "Share of the history kept", PRESERVE), shareOf: "history", inAgent: null },
    {
      ...tokens("toolResponseTokens", "Tool responses kept whole", TOOL_RESPONSE_TOKENS, COMPRESSION_CODE),
      inAgent: null,
    },
    tokens("maskProtectedTokens", "Newest tool output not masked", MASK_PROTECTED_TOKENS, MASKING_CODE),
    tokens("maskMinimumTokens", "Minimum to mask", MASK_MINIMUM_TOKENS, MASKING_CODE),
    ...summarySettings(context, context.agent !== "gemini-cli"),
  ];
}

function tokens(key: string, label: string, byDefault: Tokens, source: Source): SettingSpec {
  return numberSpec(key, label, "tokens", [0, 500_000, 1000], byDefault, source);
}
