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
 * Source: systems/pi.md §4 (0.51) and openclaw@2026.9.6, agent-core compaction.
 */
export function findCutPoint(
  entries: readonly SessionEntry[],
  start: number,
  end: number,
  keepRecentTokens: Tokens,
  preset: OpenClawPreset,
): CutPoint {
  const rule = preset === "current" ? CURRENT : DOCUMENTED;
  const cut = rule.cut(entries, start, end, keepRecentTokens);
  if (cut === undefined) return { firstKept: start, turnStart: -1, isSplitTurn: false };
  let firstKept = cut;
  while (firstKept > start && !rule.stops(entries[firstKept - 1] ?? {})) firstKept -= 1;
  const entry = entries[firstKept] ?? {};
  const turnStart = rule.isWholeTurn(entry) ? -1 : findTurnStart(entries, firstKept, start, rule.startsTurn);
  return { firstKept, turnStart, isSplitTurn: !rule.isWholeTurn(entry) && turnStart >= 0 };
}

interface CutRule {
  readonly cut: (entries: readonly SessionEntry[], start: number, end: number, keep: Tokens) => number | undefined;
  /** Whether the cut is not moved back over an entry. */
  readonly stops: (entry: SessionEntry) => boolean;
  readonly startsTurn: (entry: SessionEntry) => boolean;
  /** Whether a cut before the entry splits no turn. */
  readonly isWholeTurn: (entry: SessionEntry) => boolean;
}

function findTurnStart(
  entries: readonly SessionEntry[],
  from: number,
  start: number,
  startsTurn: (entry: SessionEntry) => boolean,
): number {
  for (let at = from; at >= start; at--) if (startsTurn(entries[at] ?? {})) return at;
  return -1;
}

const DOCUMENTED_CUT_ROLES = new Set<unknown>([
  "user",
  "assistant",
  "bashExecution",
  "custom",
  "branchSummary",
  "compactionSummary",
]);

function isUserEntry(entry: SessionEntry): boolean {
  return entry.type === "branch_summary" || entry.type === "custom_message";
}

function roleOf(entry: SessionEntry): unknown {
  return entry.type === "message" ? objectOf(entry.message).role : undefined;
}

/** pi 0.51: only messages count; where the budget is never reached, or nothing behind can be cut at, everything stays. */
const DOCUMENTED: CutRule = {
  cut: (entries, start, end, keep) => {
    const valid: number[] = [];
    for (let at = start; at < end; at++) {
      const entry = entries[at] ?? {};
      if (isUserEntry(entry) || DOCUMENTED_CUT_ROLES.has(roleOf(entry))) valid.push(at);
    }
    const reached = reachedAt(entries, start, end, keep, (entry) =>
      entry.type === "message" ? messageTokens(objectOf(entry.message), "as-documented") : undefined,
    );
    return (reached === undefined ? undefined : valid.find((at) => at >= reached)) ?? valid[0];
  },
  stops: (entry) => entry.type === "message" || entry.type === "compaction",
  startsTurn: (entry) => isUserEntry(entry) || roleOf(entry) === "user" || roleOf(entry) === "bashExecution",
  isWholeTurn: (entry) => roleOf(entry) === "user",
};

/** The newest entry from which on the sizes come to the budget. Entries without a size are passed over. */
function reachedAt(
  entries: readonly SessionEntry[],
  start: number,
  end: number,
  keep: Tokens,
  tokensOf: (entry: SessionEntry) => Tokens | undefined,
): number | undefined {
  let tokens = 0;
  for (let at = end - 1; at >= start; at--) {
    const size = tokensOf(entries[at] ?? {});
    if (size === undefined) continue;
    tokens += size;
    if (tokens >= keep) return at;
  }
  return undefined;
}

function currentMessage(entry: SessionEntry): AgentMessage | undefined {
  return entry.type === "compaction" ? undefined : messageOfEntry(entry, "current");
}

/** What the runtime puts in for a prompt is neither cut at nor the start of a turn. */
function isCarrier(message: AgentMessage): boolean {
  return message.role === "custom" && objectOf(message.details).runtimeContextCarrier === true;
}

function isCurrentCut(message: AgentMessage | undefined): boolean {
  return message !== undefined && DOCUMENTED_CUT_ROLES.has(message.role) && !isCarrier(message);
}

function startsCurrentTurn(entry: SessionEntry): boolean {
  const message = currentMessage(entry);
  return isCurrentCut(message) && message?.role !== "assistant";
}

/** 2026.9.6: everything that is sent counts; where the budget is reached at a result, its call stays with it. */
const CURRENT: CutRule = {
  cut: (entries, start, end, keep) => {
    const message = (at: number) => currentMessage(entries[at] ?? {});
    const isCut = (at: number) => isCurrentCut(message(at));
    const reached = reachedAt(entries, start, end, keep, (entry) => {
      const own = currentMessage(entry);
      return own === undefined ? undefined : messageTokens(own, "current");
    });
    // The oldest place behind which the budget is not yet reached; else the last place of all.
    let cut: number | undefined;
    let last: number | undefined;
    for (let at = end - 1; at >= start; at--) {
      if (!isCut(at)) continue;
      last ??= at;
      if (at >= (reached ?? start)) cut = at;
    }
    return cut ?? last;
  },
  stops: (entry) =>
    entry.type === "compaction" ||
    entry.type === "reset" ||
    entry.type === "message" ||
    currentMessage(entry) !== undefined,
  startsTurn: startsCurrentTurn,
  isWholeTurn: startsCurrentTurn,
};
