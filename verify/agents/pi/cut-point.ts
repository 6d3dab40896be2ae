import type { PiPreset } from "@/lib/agents/pi/base/presets";
import { messagesTokens, messageTokens } from "@/lib/agents/pi/estimator";
import { contextMessages, type PiEntry } from "@/lib/agents/pi/messages/entry";
import type { PiMessage } from "@/lib/agents/pi/messages/message";
import type { Tokens } from "@/lib/core/base/units";
import { type CutPoint, type CutRule, cutAt, placeFrom, reachedAt } from "@/verify/support/entry-tree-cut";
import type { ProjectedEntry } from "./projection";

/**
 * Start of the newest entries within a budget, among `entries[start .. end)`. The cut is never before a tool's result, so that the result
 * stays with its call. Source: README.md, "Cut point".
 */
export function findCutPoint(
  entries: readonly PiEntry[],
  start: number,
  end: number,
  keepRecentTokens: Tokens,
  preset: PiPreset,
): CutPoint {
  return preset === "v0.51.0"
    ? cutAmongEntries(entries, start, end, keepRecentTokens)
    : cutAmongProjected(
        entries.map((entry) => ({ entry, messages: contextMessages(entry) })),
        start,
        end,
        keepRecentTokens,
      );
}

/** The rule of `current`, over what the model sees of each entry: everything that it sees counts, including extensions' messages. */
export function cutAmongProjected(
  entries: readonly ProjectedEntry[],
  start: number,
  end: number,
  keepRecentTokens: Tokens,
): CutPoint {
  const range = entries.slice(start, end);
  const over = reachedAt(range, keepRecentTokens, PROJECTED);
  const next = placeFrom(range, over, PROJECTED);
  // Results that alone exceed the budget are kept with the response that called for them.
  const cut = next >= 0 ? next : range.findLastIndex(PROJECTED.isPlace);
  const skipsInput = over >= 0 && isOmittedAttempt(range.slice(cut + 1));
  return cutAt(range, start, skipsInput ? cut + 1 : cut, PROJECTED);
}

/** The rule of `v0.51.0`: only `message` entries count, and an extension's messages move with the next message. */
function cutAmongEntries(entries: readonly PiEntry[], start: number, end: number, keepRecentTokens: Tokens): CutPoint {
  const range = entries.slice(start, end);
  const next = placeFrom(range, reachedAt(range, keepRecentTokens, ENTRIES), ENTRIES);
  // If no cut is allowed after the budget is reached, everything is kept.
  return cutAt(range, start, Math.max(next, placeFrom(range, 0, ENTRIES)), ENTRIES);
}

/** True if a context may be cut before a message: not before results, prompts and unknown roles. */
function isCutRole(message: PiMessage): boolean {
  return message.role !== "toolResult" && message.role !== "system" && message.role !== "other";
}

function isTurnRole(message: PiMessage): boolean {
  return isCutRole(message) && message.role !== "assistant";
}

const startsProjectedTurn = ({ entry, messages }: ProjectedEntry) =>
  entry.type !== "compaction" && messages.some(isTurnRole);

const PROJECTED: CutRule<ProjectedEntry> = {
  isPlace: ({ entry, messages }) => entry.type !== "compaction" && messages.some(isCutRole),
  tokensOf: ({ messages }) => {
    const tokens = messagesTokens(messages, "current");
    return tokens === 0 ? undefined : tokens;
  },
  goesWithNext: ({ entry, messages }) => entry.type !== "compaction" && messages.length === 0,
  startsTurn: startsProjectedTurn,
  isWholeTurn: startsProjectedTurn,
};

const ENTRIES: CutRule<PiEntry> = {
  isPlace: (entry) => isOwnKind(entry) || (entry.type === "message" && isCutRole(entry.message)),
  tokensOf: (entry) => (entry.type === "message" ? messageTokens(entry.message, "v0.51.0") : undefined),
  goesWithNext: (entry) => entry.type !== "message" && entry.type !== "compaction",
  startsTurn: (entry) => isOwnKind(entry) || isUser(entry) || isBash(entry),
  isWholeTurn: isUser,
};

/** True if it is a message with an entry kind of its own. */
function isOwnKind(entry: PiEntry): boolean {
  return entry.type === "branch_summary" || entry.type === "custom_message";
}

function isUser(entry: PiEntry): boolean {
  return entry.type === "message" && entry.message.role === "user";
}

function isBash(entry: PiEntry): boolean {
  return entry.type === "message" && entry.message.role === "bashExecution";
}

/**
 * True if nothing follows a cut but a failed attempt that recovery removed from the context: the cut then moves past the input before it, which the
 * retry sends again. An edit that replaces another entry's content, or any entry that is still visible, leaves the cut unchanged. Source: release
 * 1.5.2 of @earendil-works/pi-coding-agent, core/compaction; README.md, "Cut point".
 * @param suffix the entries after the cut
 */
function isOmittedAttempt(suffix: readonly ProjectedEntry[]): boolean {
  const omitted = new Set(suffix.filter(isOmitted).map(({ entry }) => entry.id));
  const hasAttempt = suffix.some(
    (one) => isOmitted(one) && one.entry.type === "message" && one.entry.message.role === "assistant",
  );
  return hasAttempt && suffix.every((one) => isInvisible(one) && !replacesAnother(one, omitted));
}

/** True if an entry normally gives messages, but gives none in this context. */
function isOmitted(one: ProjectedEntry): boolean {
  return isVisibleByItself(one) && one.messages.length === 0;
}

function isVisibleByItself({ entry }: ProjectedEntry): boolean {
  return entry.type !== "context_edit" && contextMessages(entry).length > 0;
}

function isInvisible(one: ProjectedEntry): boolean {
  return one.entry.type !== "compaction" && (!isVisibleByItself(one) || one.messages.length === 0);
}

function replacesAnother({ entry }: ProjectedEntry, omitted: ReadonlySet<string | undefined>): boolean {
  return entry.type === "context_edit" && entry.replacement !== undefined && !omitted.has(entry.targetId);
}
