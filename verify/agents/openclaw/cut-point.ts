import type { OpenClawPreset } from "@/lib/agents/openclaw/base/presets";
import { messageOfEntry, type SessionEntry } from "@/lib/agents/openclaw/messages/entry";
import { messageTokens } from "@/lib/agents/openclaw/messages/estimate";
import type { AgentMessage } from "@/lib/agents/openclaw/messages/message";
import { objectOf } from "@/lib/agents/openclaw/messages/value";
import type { Tokens } from "@/lib/core/base/units";
import { type CutPoint, type CutRule, cutAt, placeFrom, reachedAt } from "@/verify/support/entry-tree-cut";

/**
 * The cut within `[start, end)` that keeps about the given number of tokens. Source: README.md, "Cut point" and openclaw@2026.9.6, agent-core
 * compaction.
 */
export function findCutPoint(
  entries: readonly SessionEntry[],
  start: number,
  end: number,
  keepRecentTokens: Tokens,
  preset: OpenClawPreset,
): CutPoint {
  const rule = preset === "current" ? CURRENT : DOCUMENTED;
  const range = entries.slice(start, end);
  const reached = reachedAt(range, keepRecentTokens, rule);
  const next = placeFrom(range, reached, rule);
  return cutAt(range, start, next >= 0 ? next : rule.placeBefore(range), rule);
}

/** A release's rule, and its fallback if there is no place after the budget is reached; −1 if there is none at all. */
interface ReleaseRule extends CutRule<SessionEntry> {
  readonly placeBefore: (range: readonly SessionEntry[]) => number;
}

const CUT_ROLES = new Set<unknown>([
  "user",
  "assistant",
  "bashExecution",
  "custom",
  "branchSummary",
  "compactionSummary",
]);

/** True if it is a message with an entry type of its own. */
function isOwnType(entry: SessionEntry): boolean {
  return entry.type === "branch_summary" || entry.type === "custom_message";
}

function roleOf(entry: SessionEntry): unknown {
  return entry.type === "message" ? objectOf(entry.message).role : undefined;
}

function isDocumentedPlace(entry: SessionEntry): boolean {
  return isOwnType(entry) || CUT_ROLES.has(roleOf(entry));
}

/** pi 0.51: only messages count. If the budget is never reached, or no cut is allowed after it, everything is kept. */
const DOCUMENTED: ReleaseRule = {
  isPlace: isDocumentedPlace,
  placeBefore: (range) => range.findIndex(isDocumentedPlace),
  tokensOf: (entry) => (entry.type === "message" ? messageTokens(objectOf(entry.message), "as-documented") : undefined),
  goesWithNext: (entry) => entry.type !== "message" && entry.type !== "compaction",
  startsTurn: (entry) => isOwnType(entry) || roleOf(entry) === "user" || roleOf(entry) === "bashExecution",
  isWholeTurn: (entry) => roleOf(entry) === "user",
};

/** The message that an entry of the branch is sent as. The summary of a compaction comes before the range. */
function sentMessage(entry: SessionEntry): AgentMessage | undefined {
  return entry.type === "compaction" ? undefined : messageOfEntry(entry, "current");
}

/** True if the kept part may begin with a message. It may not begin with one that the runtime inserts for a prompt. */
function isCutMessage(message: AgentMessage): boolean {
  const isCarrier = message.role === "custom" && objectOf(message.details).runtimeContextCarrier === true;
  return CUT_ROLES.has(message.role) && !isCarrier;
}

function isCurrentPlace(entry: SessionEntry): boolean {
  const message = sentMessage(entry);
  return message !== undefined && isCutMessage(message);
}

function startsCurrentTurn(entry: SessionEntry): boolean {
  return isCurrentPlace(entry) && roleOf(entry) !== "assistant";
}

/** Types of entries that are sent, or that bound the sent ones. */
const SENT_TYPES = new Set<unknown>(["message", "custom_message", "branch_summary", "compaction", "reset"]);

/** 2026.9.6: everything that is sent counts; if the budget is reached at a result, its call is kept with it. */
const CURRENT: ReleaseRule = {
  isPlace: isCurrentPlace,
  placeBefore: (range) => range.findLastIndex(isCurrentPlace),
  tokensOf: (entry) => {
    const message = sentMessage(entry);
    return message === undefined ? undefined : messageTokens(message, "current");
  },
  goesWithNext: (entry) => !SENT_TYPES.has(entry.type),
  startsTurn: startsCurrentTurn,
  isWholeTurn: startsCurrentTurn,
};
