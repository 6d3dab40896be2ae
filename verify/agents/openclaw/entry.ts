import type { OpenClawPreset } from "@/lib/agents/openclaw/base/presets";
import { messageOfEntry, type SessionEntry } from "@/lib/agents/openclaw/messages/entry";
import type { AgentMessage } from "@/lib/agents/openclaw/messages/message";
import { pairedResults } from "@/lib/agents/openclaw/messages/pairing-frames";

/** An entry of the context, and its message. */
interface ContextEntry {
  readonly entry: SessionEntry;
  readonly message: AgentMessage;
}

/**
 * Messages that the model sees of a branch: the newest boundary's summary, then the entries that it kept, and the later ones. Source: README.md,
 * "Context of a branch"; openclaw@2026.9.6, agent-core session.
 */
export function contextOf(branch: readonly SessionEntry[], preset: OpenClawPreset): readonly ContextEntry[] {
  const boundaryAt = branch.findLastIndex((entry) => isBoundary(entry, preset));
  const boundary = branch[boundaryAt];
  const kept = boundary === undefined ? [] : keptEntries(branch, boundaryAt, preset);
  const shown = [...(boundary?.type === "compaction" ? [boundary] : []), ...kept, ...branch.slice(boundaryAt + 1)];
  return shown.flatMap((entry) => {
    if (entry.type === "branch_summary" && !entry.summary) return [];
    if (entry.type === "compaction" && entry !== boundary) return [];
    const message = messageOfEntry(entry, preset);
    return message === undefined ? [] : [{ entry, message }];
  });
}

/** True if it is a compaction or, for 2026.9.6, a reset, which leaves no summary. */
export function isBoundary(entry: SessionEntry, preset: OpenClawPreset): boolean {
  return entry.type === "compaction" || (preset === "current" && entry.type === "reset");
}

/** The entries before a boundary that it kept; none if the first of them is not on the branch. */
function keptEntries(
  branch: readonly SessionEntry[],
  boundaryAt: number,
  preset: OpenClawPreset,
): readonly SessionEntry[] {
  const boundary = branch[boundaryAt] ?? {};
  const first = branch.findIndex((entry) => entry.id === boundary.firstKeptEntryId);
  if (first < 0 || first >= boundaryAt || boundary.firstKeptEntryId === undefined) return [];
  const kept = branch.slice(first, boundaryAt);
  return preset === "current" && boundary.type === "reset" ? keptByReset(kept) : kept;
}

/** A reset keeps typed messages and responses, and results whose call it also keeps. */
export function keptByReset(entries: readonly SessionEntry[]): readonly SessionEntry[] {
  const messages = entries.filter((entry) => entry.type === "message");
  const ownMessage = (entry: SessionEntry) => messageOfEntry(entry, "as-documented") ?? {};
  const paired = pairedResults(messages.map(ownMessage));
  return messages.filter((entry) => {
    const message = ownMessage(entry);
    return message.role === "user" || message.role === "assistant" || paired.has(message);
  });
}
