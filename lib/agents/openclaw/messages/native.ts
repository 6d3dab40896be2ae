import { entriesBy, type NativeGroup, renamedRecord } from "../../entry-tree/native";
import type { SessionEntry } from "./entry";

/** The entries for a message: on OpenClaw's own files the recorded entry. */
export const nativeEntries = entriesBy<SessionEntry>({
  format: "openclaw",
  entryOf,
  recorded: renamedRecord,
  joinsResults: false,
});

function entryOf({ kind, first, blocks: content, text }: NativeGroup): SessionEntry {
  switch (kind) {
    case "custom":
      return { type: "custom_message", customType: "recorded", content };
    case "summary":
      return { type: "message", message: { role: "compactionSummary", summary: text } };
    case "toolResult": {
      const result = { toolCallId: first.callId ?? "", toolName: first.tool ?? "", isError: first.isError === true };
      return { type: "message", message: { role: kind, ...result, content } };
    }
    default:
      return { type: "message", message: { role: kind, content } };
  }
}
