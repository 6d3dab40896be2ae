import type { Block } from "@/lib/core/transcript/model";
import type { HistoryMessage } from "./server-profile";

/** The messages, with a stand-in result after a message for each of its calls that no result among them answers. */
export function withStandIns(messages: readonly HistoryMessage[], text: string): readonly HistoryMessage[] {
  const ids = (kind: Block["kind"], { message }: HistoryMessage) =>
    message.blocks.flatMap((block) => (block.kind === kind && block.callId !== undefined ? [block.callId] : []));
  const seen = new Set(messages.flatMap((one) => ids("tool_result", one)));
  return messages.flatMap((one) => {
    const open = ids("tool_call", one).filter((id) => !seen.has(id) && seen.add(id).has(id));
    return [one, ...open.map(() => standInAfter(one, text))];
  });
}

/** A result that the agent generates for a call of the message. */
export function standInAfter({ message, contents }: HistoryMessage, text: string): HistoryMessage {
  const blocks = message.blocks.slice(0, 1).map((block): Block => ({ ...block, kind: "tool_result" }));
  return {
    message: { ...message, role: "user", origin: "tool", blocks },
    contents: contents.slice(0, 1).map((content) => ({ ...content, text })),
  };
}
