import type { HistoryMessage } from "@/lib/agents/shared/server-profile";
import { withStandIns } from "@/lib/agents/shared/stand-ins";
import { NO_RESULT } from "../base/constants";
import { isFailed } from "../messages/message";
import { nativeEntries } from "../messages/native";
import { keptOutput } from "./output-limit";

/** Outputs as pi's tools return them, without the line about missing text; and the texts sent for calls without a result and failed responses. */
export function sentTexts() {
  return {
    entered: keptOutput,
    paired: (messages: readonly HistoryMessage[], _preset: string, format: string) =>
      withStandIns(
        messages.filter((one) => isSent(one, format)),
        NO_RESULT,
      ),
  };
}

function isSent({ message, contents }: HistoryMessage, format: string): boolean {
  const entries = nativeEntries(message, contents, format);
  return !entries.some(({ entry }) => entry.type === "message" && isFailed(entry.message));
}
