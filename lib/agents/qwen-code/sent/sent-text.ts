import type { HistoryMessage } from "@/lib/agents/shared/server-profile";
import { withStandIns } from "@/lib/agents/shared/stand-ins";
import { CLEARED_RESULT, MISSING_RESULT } from "../base/constants";
import { qwenCodePreset } from "../base/presets";
import { toolNameOf } from "../read/native";
import { enteredText } from "./entry-limits";

/** Outputs as they enter under the default limits, and the placeholder of a cleared one. */
export function sentTexts(preset: string) {
  return {
    entered: (text: string, tool: string | undefined) =>
      enteredText(toolNameOf(tool ?? ""), text, qwenCodePreset(preset)),
    cleared: () => CLEARED_RESULT,
    paired: (messages: readonly HistoryMessage[]) =>
      qwenCodePreset(preset) === "current" ? withStandIns(messages, MISSING_RESULT) : messages,
  };
}
