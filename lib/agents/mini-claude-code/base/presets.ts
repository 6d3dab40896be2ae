import { numberSpec, summarySettings } from "@/lib/core/compaction/policy/common-settings";
import type { PolicyContext } from "@/lib/core/compaction/policy/policy";
import type { SettingSpec, Source } from "@/lib/core/compaction/policy/settings";
import { COMPRESS_THRESHOLD, TOOL_OUTPUT_CHARS } from "./constants";

/** Rule sets of this agent; the first is the default. Source: README.md. */
export const MINI_PRESETS = ["as-documented", "current"] as const;
export type MiniPreset = (typeof MINI_PRESETS)[number];

/** The preset with a name; the default if the name is unknown. */
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
  const compression = current ? CODE("agent/context.ts") : DOCUMENT("context.md");
  const tools = current ? CODE("utils/truncate.ts") : DOCUMENT("tools.md");
  return [
    {
      ...numberSpec("threshold", "Compress above", "share", [0, 1, 0.01], COMPRESS_THRESHOLD, compression),
      inAgent: null,
      decidesWhen: true,
    },
    {
      ...numberSpec(
        "toolOutputChars",
        "Limit of a tool output",
        "chars",
        [0, 1_000_000, 500],
        TOOL_OUTPUT_CHARS,
        tools,
      ),
      inAgent: null,
    },
    ...summarySettings(context, context.agent !== "mini-claude-code"),
  ];
}
