import type { HistoryMessage } from "@/lib/agents/shared/server-profile";
import { withStandIns } from "@/lib/agents/shared/stand-ins";
import { CLEARED_TEXT, INTERRUPTED_TEXT } from "../base/constants";

/** The texts that opencode sends in place of recorded ones: for a cleared output, and as the result of a call without one. */
export function sentTexts() {
  return {
    cleared: () => CLEARED_TEXT,
    paired: (messages: readonly HistoryMessage[]) => withStandIns(messages, INTERRUPTED_TEXT),
  };
}
