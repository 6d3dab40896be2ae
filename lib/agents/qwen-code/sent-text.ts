import { CLEARED_RESULT } from "./constants";
import { enteredText } from "./entry-limits";
import { toolNameOf } from "./native";
import { qwenCodePreset } from "./presets";

/** Outputs as they enter under the default limits, and the placeholder of a cleared one. */
export function sentTexts(preset: string) {
  return {
    entered: (text: string, tool: string | undefined) =>
      enteredText(toolNameOf(tool ?? ""), text, qwenCodePreset(preset)),
    cleared: () => CLEARED_RESULT,
  };
}
