import type { HistoryMessage } from "@/lib/agents/shared/server-profile";
import { withBlocks, withoutOpenCalls, withoutOrphans } from "@/lib/agents/shared/stand-ins";
import { isBeforeSdk } from "./base/presets";
import { FINISH } from "./policy/events";

/** The messages of a request without responses that hold an open call, and without results without a call. Source: README.md, "Sent events". */
export function sentTexts(preset: string) {
  return {
    paired: (messages: readonly HistoryMessage[], _preset: string, format: string) => {
      const closed = withoutOpenCalls(messages);
      if (format !== "openhands") return closed;
      const unchanged = new Set(closed);
      return withoutOrphans(
        messages.flatMap((one) => {
          if (unchanged.has(one)) return [one];
          return isBeforeSdk(preset) && finishes(one) ? withBlocks(one, ({ kind }) => kind !== "tool_call") : [];
        }),
      );
    },
  };
}

function finishes({ message }: HistoryMessage): boolean {
  return message.blocks.every(({ kind, tool }) => kind !== "tool_call" || tool === FINISH);
}
