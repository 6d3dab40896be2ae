import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { Message } from "@/lib/core/transcript/model";
import { branchSummaryText, compactionSummaryText } from "../../entry-tree/wrappers";
import { piPreset } from "../base/presets";
import { contextMessages } from "../messages/entry";
import type { PiMessage } from "../messages/message";
import { nativeEntries } from "../messages/native";
import { serializeConversation } from "../messages/serialize";
import { bashExecutionText } from "../messages/wrappers";

/**
 * The history as one text for the summarising model. The template around it is not known to the letter; the beginning of a turn that the cut splits
 * goes into a call of its own. Source: README.md, "Summary text" and "Text that is summarised".
 */
export function summaryPromptOf(
  history: readonly { readonly message: Message; readonly contents: readonly BlockContent[] }[],
  preset: string,
  format: string,
) {
  const messages = history
    .flatMap(({ message, contents }) => nativeEntries(message, contents, format))
    .flatMap(({ entry }) => contextMessages(entry))
    .map(asRead);
  return {
    system: null,
    text: serializeConversation(messages, piPreset(preset)),
    notes: ["systemUnknown", "instructionsUnknown", "splitTurn"] as const,
  };
}

/** A message as the model reads it: messages that are neither typed nor responses are user messages. */
function asRead(message: PiMessage): PiMessage {
  switch (message.role) {
    case "custom":
      return { role: "user", content: message.content };
    case "bashExecution":
      return { role: "user", content: bashExecutionText({ ...message }) };
    case "branchSummary":
      return { role: "user", content: branchSummaryText(message.summary) };
    case "compactionSummary":
      return { role: "user", content: compactionSummaryText(message.summary) };
    default:
      return message;
  }
}
