import type { Block } from "@/lib/core/transcript/model";
import type { HistoryMessage } from "./server-profile";

/**
 * The messages, with a stand-in result after a message for each of its calls that no result among them answers.
 * @param needsResult true for the id of a call that gets one; absent for all
 */
export function withStandIns(
  messages: readonly HistoryMessage[],
  text: string,
  needsResult: (callId: string) => boolean = () => true,
): readonly HistoryMessage[] {
  const ids = (kind: Block["kind"], { message }: HistoryMessage) =>
    message.blocks.flatMap((block) => (block.kind === kind && block.callId !== undefined ? [block.callId] : []));
  const seen = new Set(messages.flatMap((one) => ids("tool_result", one)));
  return messages.flatMap((one) => {
    const open = ids("tool_call", one).filter((id) => needsResult(id) && !seen.has(id) && seen.add(id).has(id));
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

/** The messages without results whose call none before them holds, and without their images. A result without an id stays. */
export function withoutOrphans(messages: readonly HistoryMessage[]): readonly HistoryMessage[] {
  const calls = new Set<string>();
  return messages.flatMap((one) => {
    let isOrphan = false;
    return withBlocks(one, ({ kind, callId }) => {
      if (kind === "tool_call" && callId !== undefined) calls.add(callId);
      isOrphan = kind === "tool_result" ? callId !== undefined && !calls.has(callId) : isOrphan && kind === "image";
      return !isOrphan;
    });
  });
}

/** The messages without calls that no result among them answers. A call without an id stays. */
export function withoutOpenCalls(messages: readonly HistoryMessage[]): readonly HistoryMessage[] {
  const answered = new Set(
    messages.flatMap(({ message }) =>
      message.blocks.flatMap(({ kind, callId }) => (kind === "tool_result" ? [callId] : [])),
    ),
  );
  return messages.flatMap((one) =>
    withBlocks(one, ({ kind, callId }) => kind !== "tool_call" || callId === undefined || answered.has(callId)),
  );
}

/** A message with some of its blocks; none if no block is left. */
export function withBlocks(one: HistoryMessage, isSent: (block: Block) => boolean): readonly HistoryMessage[] {
  const { message, contents } = one;
  const sent = message.blocks.map(isSent);
  if (!sent.includes(false)) return [one];
  if (!sent.includes(true)) return [];
  const kept = <Part>(parts: readonly Part[]) => parts.filter((_, at) => sent[at]);
  return [{ message: { ...message, blocks: kept(message.blocks) }, contents: kept(contents) }];
}
