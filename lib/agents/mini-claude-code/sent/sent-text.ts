import { numberSetting, type Settings } from "@/lib/core/compaction/settings/settings";
import { truncateOutput } from "../policy/tool-output";
import { miniPreset } from "../presets";

/** Outputs as they enter: their beginning and a hint. */
export function sentTexts(preset: string, settings: Settings) {
  const limit = numberSetting(settings, "toolOutputChars");
  return {
    entered: (text: string, tool: string | undefined) => truncateOutput(tool ?? "", text, miniPreset(preset), limit),
  };
}
