import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { Message } from "@/lib/core/transcript/model";
import { miniPreset } from "../base/presets";
import { nativeMessages } from "../messages/native";
import { aroundSummary, COMPRESSION_SYSTEM, compressionPrompt } from "./compression";

/** Prompt for a summary of this history: all of it, as text. */
export function summaryPromptOf(
  history: readonly { readonly message: Message; readonly contents: readonly BlockContent[] }[],
  preset: string,
  format: string,
) {
  const messages = history.flatMap(({ message, contents }) => nativeMessages(message, contents, format));
  return {
    system: COMPRESSION_SYSTEM[miniPreset(preset)],
    around: aroundSummary(miniPreset(preset)),
    text: compressionPrompt(messages.map((native) => native.message)),
  };
}
