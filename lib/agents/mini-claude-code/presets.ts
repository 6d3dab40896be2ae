import {
  entryTruncationSetting,
  failSummarySetting,
  summaryTokensSetting,
} from "@/lib/core/compaction/common-settings";
import type { PolicyContext } from "@/lib/core/compaction/policy";
import type { SettingSpec, Source } from "@/lib/core/compaction/settings";
import { COMPRESS_THRESHOLD, TOOL_OUTPUT_CHARS } from "./constants";

/** Rule sets of this agent; the first is the default. Source: README.md. */
export const MINI_PRESETS = ["as-documented", "current"] as const;
export type MiniPreset = (typeof MINI_PRESETS)[number];

/** The preset with a name; the default where the name is unknown. */
export function miniPreset(name: string): MiniPreset {
  return MINI_PRESETS.find((preset) => preset === name) ?? MINI_PRESETS[0];
}

/** Preset for a recording: a history names no version, so it is the default. */
export function presetFor(_version: string | undefined): MiniPreset {
  return MINI_PRESETS[0];
}

const DOCUMENT = (file: string): Source => ({ kind: "document", text: `mini-claude-code, docs/${file}` });
const CODE = (file: string): Source => ({ kind: "code", text: `minorcell/mini-claude-code c969aa4, src/${file}` });

/** Settings of a preset, with their defaults and the defaults' sources. */
export function miniSettings(preset: string, context: PolicyContext): readonly SettingSpec[] {
  const current = miniPreset(preset) === "current";
  return [
    {
      key: "threshold",
      label: "Compress above",
      type: "number",
      unit: "share",
      min: 0,
      max: 1,
      step: 0.01,
      default: COMPRESS_THRESHOLD,
      source: current ? CODE("agent/context.ts") : DOCUMENT("context.md"),
    },
    {
      key: "toolOutputChars",
      label: "Limit of a tool output",
      type: "number",
      unit: "chars",
      min: 0,
      max: 1_000_000,
      step: 500,
      default: TOOL_OUTPUT_CHARS,
      source: current ? CODE("utils/truncate.ts") : DOCUMENT("tools.md"),
    },
    summaryTokensSetting(context),
    failSummarySetting(),
    entryTruncationSetting(context.agent !== "mini-claude-code"),
  ];
}
