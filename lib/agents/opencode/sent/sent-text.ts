import type { HistoryMessage } from "@/lib/agents/shared/server-half";
import type { Block } from "@/lib/core/transcript/model";
import { CLEARED_TEXT, INTERRUPTED_TEXT } from "../base/constants";

/** The texts that opencode sends in place of recorded ones: for a cleared output, and as the result of a call without one. */
export function sentTexts() {
  return {
    cleared: () => CLEARED_TEXT,
    paired: (messages: readonly HistoryMessage[]): readonly HistoryMessage[] => {
      const answered = new Set(
        messages.flatMap(({ message }) =>
          message.blocks.flatMap(({ kind, callId }) =>
            kind === "tool_result" && callId !== undefined ? [callId] : [],
          ),
        ),
      );
      const isOpen = ({ kind, callId }: Block) => kind === "tool_call" && callId !== undefined && !answered.has(callId);
      return messages.flatMap((one) => [
        one,
        ...one.message.blocks.filter(isOpen).map((call) => interrupted(one, call)),
      ]);
    },
  };
}

function interrupted({ message, contents }: HistoryMessage, call: Block): HistoryMessage {
  const { record = {} } = contents[message.blocks.indexOf(call)] ?? {};
  return {
    message: { ...message, role: "user", origin: "tool", blocks: [{ ...call, kind: "tool_result" }] },
    contents: [{ record, text: INTERRUPTED_TEXT }],
  };
}
