import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { Message } from "@/lib/core/transcript/model";
import { nativeContent } from "../read/native";
import { summaryRequest } from "./prompts";

/** The request after the history, which is sent unchanged. The system prompt of that call is not known. */
export function summaryPromptOf(
  history: readonly { readonly message: Message; readonly contents: readonly BlockContent[] }[],
  _preset: string,
  format: string,
) {
  const contents = history.map((entry) => nativeContent(entry.message, entry.contents, format).content);
  return { system: null, text: summaryRequest(contents), sent: history, notes: ["systemUnknown"] as const };
}
