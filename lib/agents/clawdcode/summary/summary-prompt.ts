import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { Message } from "@/lib/core/transcript/model";
import { toNative } from "../messages/native";
import { AROUND_SUMMARY, SUMMARY_SYSTEM, summaryPrompt } from "./summary";

/**
 * What is sent to have this history summarised. The program would also read files from the disk again; a recording does not hold these, so their
 * part is left out.
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
