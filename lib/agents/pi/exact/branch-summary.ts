import type { Tokens } from "@/lib/core/base/units";
import { ROOM_FOR_SUMMARY } from "../constants";
import { type FileDetails, messageOfEntry, type PiEntry } from "../messages/entry";
import type { PiMessage } from "../messages/message";
import { messageTokens } from "../messages/tokens";
import type { PiPreset } from "../presets";
import { FileTracker } from "../summary/files";
import type { SourcedMessage } from "./compaction";
import { type ContextEdits, contextEdits, editedMessages } from "./projection";

/** The material for the summary of an abandoned branch. */
export interface BranchPreparation {
  readonly messages: readonly SourcedMessage[];
  readonly totalTokens: Tokens;
  readonly files: FileDetails;
}

/**
 * The newest messages of a branch within a budget, without results. The files of a message that no longer fits are still listed. Source:
 * README.md, "Branch summaries".
 * @param budget tokens; 0 means no limit
 */
export function prepareBranchSummary(entries: readonly PiEntry[], budget: Tokens, preset: PiPreset): BranchPreparation {
  const files = new FileTracker(preset);
  for (const entry of entries) if (entry.type === "branch_summary") files.details(entry.files);
  const edits: ContextEdits = preset === "current" ? contextEdits(entries) : new Map();
  const messages: SourcedMessage[] = [];
  let totalTokens = 0;
  for (const entry of [...entries].reverse()) {
    const message = branchMessage(entry, edits);
    if (message === undefined) continue;
    files.message(message);
    const tokens = messageTokens(message, preset);
    const full = budget > 0 && totalTokens + tokens > budget;
    if (full && !(isSummary(entry) && totalTokens < budget * ROOM_FOR_SUMMARY)) break;
    messages.unshift({ entry, message });
    totalTokens += tokens;
    if (full) break;
  }
  return { messages, totalTokens, files: files.lists() };
}

/** The message that an entry gives to a branch's summary: a summary unchanged, a message as edited, and none for a result. */
function branchMessage(entry: PiEntry, edits: ContextEdits): PiMessage | undefined {
  if (entry.type === "message" && entry.message.role === "toolResult") return undefined;
  if (isSummary(entry) || !edits.has(entry.id)) return messageOfEntry(entry);
  return editedMessages(entry, edits)[0];
}

function isSummary(entry: PiEntry): boolean {
  return entry.type === "compaction" || entry.type === "branch_summary";
}
