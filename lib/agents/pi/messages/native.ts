import type { JsonObject } from "@/lib/agents/shared/json";
import { entriesBy, type NativeGroup, renamedRecord } from "../../entry-tree/native";
import { type PiEntry, toEntry } from "./entry";
import type { PiMessage } from "./message";

/** The entries for a message: on pi's own files the recorded entry. Our model does not hold signatures, usage, ids and the parts of a shell command. */
export const nativeEntries = entriesBy<PiEntry>({ format: "pi", entryOf, recorded: recordedEntry, joinsResults: true });

/** Makes the entry of one of pi's records. */
export function recordedEntry(record: JsonObject): PiEntry {
  return toEntry(renamedRecord(record));
}

function entryOf(group: NativeGroup): PiEntry {
  const base = { id: undefined, parentId: undefined };
  if (group.kind === "custom") return { ...base, type: "custom_message", content: group.blocks };
  return { ...base, type: "message", message: messageOf(group) };
}

function messageOf({ kind, first, blocks: content, text }: NativeGroup): PiMessage {
  switch (kind) {
    case "toolResult":
      return {
        role: "toolResult",
        toolCallId: first.callId ?? "",
        toolName: first.tool ?? "",
        content,
        isError: first.isError === true,
        nestedCalls: [],
      };
    case "summary":
      return { role: "compactionSummary", summary: text, tokensBefore: undefined };
    case "assistant":
      return { role: "assistant", content };
    default:
      return { role: "user", content };
  }
}
