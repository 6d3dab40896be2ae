import { numberSetting, type Settings } from "@/lib/core/compaction/policy/settings";
import { miniPreset } from "../base/presets";
import { truncateOutput } from "../policy/tool-output";

/** Outputs as they enter: their beginning and a hint. */
export function sentTexts(preset: string, settings: Settings) {
  const limit = numberSetting(settings, "toolOutputChars");
  return {
    entered: (text: string, tool: string | undefined) => truncateOutput(tool ?? "", text, miniPreset(preset), limit),
  };
}
