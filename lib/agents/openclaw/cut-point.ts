import type { Tokens } from "@/lib/core/base/units";
import { messageOfEntry, type SessionEntry } from "./entry";
import { messageTokens } from "./estimate";
import type { AgentMessage } from "./message";
import type { OpenClawPreset } from "./presets";
import { objectOf } from "./value";

/** Where a compaction cuts: what lies before is summarised, what lies behind stays. */
export interface CutPoint {
  readonly firstKept: number;
  /** First entry of the turn that the cut splits; −1 where it splits none. */
  readonly turnStart: number;
  readonly isSplitTurn: boolean;
}

/**
 * The cut within `[start, end)` that keeps about so many tokens.
 * Source: README.md, "Cut point" and openclaw@2026.9.6, agent-core compaction.
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
  const behind = range.findIndex((entry, index) => index >= reached && rule.isPlace(entry));
  return cutAt(range, start, behind >= 0 ? behind : rule.placeBefore(range), rule);
}

/** What a release's rule asks of an entry. */
interface CutRule {
  /** Whether the history may be cut before it. */
  readonly isPlace: (entry: SessionEntry) => boolean;
  /** The place of all that is taken where none is behind the budget; −1 where there is none. */
  readonly placeBefore: (range: readonly SessionEntry[]) => number;
  /** What it takes of the budget; `undefined` where it is passed over. */
  readonly tokensOf: (entry: SessionEntry) => Tokens | undefined;
  /** Whether a cut behind it moves before it. */
  readonly goesWithNext: (entry: SessionEntry) => boolean;
  readonly startsTurn: (entry: SessionEntry) => boolean;
  /** Whether a cut before it splits no turn. */
  readonly isWholeTurn: (entry: SessionEntry) => boolean;
}

/** The newest entry from which on the sizes come to the budget; −1 where they never do. */
function reachedAt(range: readonly SessionEntry[], budget: Tokens, { tokensOf }: CutRule): number {
  let sum = 0;
  return range.findLastIndex((entry) => {
    const tokens = tokensOf(entry);
    sum += tokens ?? 0;
    return tokens !== undefined && sum >= budget;
  });
}

/** The cut before a place of a range, moved before what goes with it; −1 where there is no place. */
function cutAt(range: readonly SessionEntry[], start: number, place: number, rule: CutRule): CutPoint {
  if (place < 0) return { firstKept: start, turnStart: -1, isSplitTurn: false };
  const first = range.slice(0, place).findLastIndex((entry) => !rule.goesWithNext(entry)) + 1;
  const isWhole = range.slice(first, first + 1).some(rule.isWholeTurn);
  const turn = isWhole ? -1 : range.slice(0, first + 1).findLastIndex(rule.startsTurn);
  return { firstKept: start + first, turnStart: turn < 0 ? -1 : start + turn, isSplitTurn: turn >= 0 };
}

const CUT_ROLES = new Set<unknown>([
  "user",
  "assistant",
  "bashExecution",
  "custom",
  "branchSummary",
  "compactionSummary",
]);

/** A message that has an entry type of its own. */
function isOwnType(entry: SessionEntry): boolean {
  return entry.type === "branch_summary" || entry.type === "custom_message";
}

function roleOf(entry: SessionEntry): unknown {
  return entry.type === "message" ? objectOf(entry.message).role : undefined;
}

function isDocumentedPlace(entry: SessionEntry): boolean {
  return isOwnType(entry) || CUT_ROLES.has(roleOf(entry));
}

/** pi 0.51: only messages count; where the budget is never reached, or nothing behind can be cut at, everything stays. */
const DOCUMENTED: CutRule = {
  isPlace: isDocumentedPlace,
  placeBefore: (range) => range.findIndex(isDocumentedPlace),
  tokensOf: (entry) => (entry.type === "message" ? messageTokens(objectOf(entry.message), "as-documented") : undefined),
  goesWithNext: (entry) => entry.type !== "message" && entry.type !== "compaction",
  startsTurn: (entry) => isOwnType(entry) || roleOf(entry) === "user" || roleOf(entry) === "bashExecution",
  isWholeTurn: (entry) => roleOf(entry) === "user",
};

/** What an entry of the branch is sent as; a compaction's summary stands before the range. */
function sentMessage(entry: SessionEntry): AgentMessage | undefined {
  return entry.type === "compaction" ? undefined : messageOfEntry(entry, "current");
}

/** Whether a message may begin what is kept. What the runtime puts in for a prompt may not. */
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

/** Types of entries that are sent, or bound what is. */
const STANDING_TYPES = new Set<unknown>(["message", "custom_message", "branch_summary", "compaction", "reset"]);

/** 2026.9.6: everything that is sent counts; where the budget is reached at a result, its call stays with it. */
const CURRENT: CutRule = {
  isPlace: isCurrentPlace,
  placeBefore: (range) => range.findLastIndex(isCurrentPlace),
  tokensOf: (entry) => {
    const message = sentMessage(entry);
    return message === undefined ? undefined : messageTokens(message, "current");
  },
  goesWithNext: (entry) => !STANDING_TYPES.has(entry.type),
  startsTurn: startsCurrentTurn,
  isWholeTurn: startsCurrentTurn,
};
