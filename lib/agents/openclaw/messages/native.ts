import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { Message } from "@/lib/core/transcript/model";
import {
  convertedEntries,
  entriesOf,
  type NativeEntry,
  type NativeGroup,
  type NativeRules,
  renamedRecord,
} from "../../entry-tree/native";
import type { SessionEntry } from "./entry";

/** Makes an entry from a record. */
export const recordedEntry: (record: SessionEntry) => SessionEntry = renamedRecord;

const RULES: NativeRules<SessionEntry> = { format: "openclaw", entryOf, recorded: renamedRecord, joinsResults: false };

/** Our message as OpenClaw would hold it. */
export function toNative(message: Message, contents: readonly BlockContent[]): readonly NativeEntry<SessionEntry>[] {
  return convertedEntries(message, contents, RULES);
}

/** The entries for a message: on OpenClaw's own files the recorded entry. */
export function nativeEntries(
  message: Message,
  contents: readonly BlockContent[],
  format: string,
): readonly NativeEntry<SessionEntry>[] {
  return entriesOf(message, contents, format, RULES);
}

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
