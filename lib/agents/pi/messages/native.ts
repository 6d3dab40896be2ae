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
import type { JsonObject } from "../../json";
import { type PiEntry, toEntry } from "./entry";
import type { PiMessage } from "./message";

const RULES: NativeRules<PiEntry> = { format: "pi", entryOf, recorded: recordedEntry, joinsResults: true };

/** Our message as pi would hold it. Our model does not hold signatures, usage, ids and the parts of a shell command. */
export function toNative(message: Message, contents: readonly BlockContent[]): readonly NativeEntry<PiEntry>[] {
  return convertedEntries(message, contents, RULES);
}

/** The entries for a message: on pi's own files the recorded entry. */
export function nativeEntries(
  message: Message,
  contents: readonly BlockContent[],
  format: string,
): readonly NativeEntry<PiEntry>[] {
  return entriesOf(message, contents, format, RULES);
}

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
