import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { Message } from "@/lib/core/transcript/model";
import { toNative } from "../messages/native";
import { AROUND_SUMMARY, SUMMARY_SYSTEM, summaryPrompt } from "./summary";

/**
 * Prompt for a summary of this history. The program would also read files from the disk again; a recording does not hold these, so they are omitted.
 */
export function summaryPromptOf(
  history: readonly { readonly message: Message; readonly contents: readonly BlockContent[] }[],
) {
  const messages = history.flatMap(({ message, contents }) => toNative(message, contents));
  return {
    system: SUMMARY_SYSTEM,
    around: AROUND_SUMMARY,
    text: summaryPrompt(
      messages.map((native) => native.message),
      [],
    ),
  };
}
