import { type Content, partsOf } from "@/lib/agents/gemini-cli/messages/content";
import { isCommand } from "@/lib/agents/gemini-cli/messages/message";
import { contentOf, contentsOf } from "@/lib/agents/gemini-cli/read/blocks";
import type { JsonObject } from "@/lib/agents/shared/json";

/**
 * The history with which a resumed session begins, from the messages that `loadConversationRecord` gives: typed messages except commands,
 * responses without their thoughts, and results after their calls. Source: google-gemini/gemini-cli, packages/core/src/utils/sessionUtils.ts.
 */
export function resumedHistory(messages: readonly JsonObject[]): readonly Content[] {
  return messages
    .filter((message) => !isCommand(message))
    .flatMap((message) => contentsOf({ ...message, thoughts: [] }).map(contentOf))
    .filter((content) => partsOf(content).length > 0);
}
