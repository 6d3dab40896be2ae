import type { Tokens } from "@/lib/core/base/units";
import { contextMessages, type PiEntry } from "./entry";
import type { PiMessage } from "./message";
import { isOmittedAttempt } from "./omitted-attempt";
import type { PiPreset } from "./presets";
import type { ProjectedEntry } from "./projection";
import { messagesTokens, messageTokens } from "./tokens";

/** Where a compaction cuts: entries from `firstKept` on stay. */
export interface CutPoint {
  readonly firstKept: number;
  /** Start of the turn that is cut in two; −1 where none is. */
  readonly turnStart: number;
  readonly splitTurn: boolean;
}

/**
 * Where the newest entries within a budget begin, among `entries[start .. end)`. Never before a tool's result, so that it
 * stays with its call. Source: systems/pi.md §4, findCutPoint.
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

/** The rule of `current`, over what the model sees of each entry: all that it sees counts, extensions' messages too. */
export function cutAmongProjected(
  entries: readonly ProjectedEntry[],
  start: number,
  end: number,
  keepRecentTokens: Tokens,
): CutPoint {
  const isValid = (index: number) => isProjectedCut(entries[index]);
  const first = firstIndex(start, end, isValid);
  if (first < 0) return { firstKept: start, turnStart: -1, splitTurn: false };
  const over = overBudget(start, end, keepRecentTokens, (index) => {
    const tokens = messagesTokens(entries[index]?.messages ?? [], "current");
    return tokens === 0 ? undefined : tokens;
  });
  let cut = first;
  if (over >= 0) {
    const behind = firstIndex(over, end, isValid);
    // Results that exceed the budget by themselves stay with the response that called for them.
    cut = behind >= 0 ? behind : lastIndex(start, end, isValid);
    if (isOmittedAttempt(entries.slice(cut + 1, end))) cut += 1;
  }
  while (cut > start && isInvisible(entries[cut - 1])) cut -= 1;
  return withTurn(cut, start, startsProjectedTurn(entries[cut]), (index) => startsProjectedTurn(entries[index]));
}

/** The rule of `v0.51.0`: only `message` entries count, and an extension's messages go with what follows them. */
function cutAmongEntries(entries: readonly PiEntry[], start: number, end: number, keepRecentTokens: Tokens): CutPoint {
  const isValid = (index: number) => isEntryCut(entries[index]);
  const first = firstIndex(start, end, isValid);
  if (first < 0) return { firstKept: start, turnStart: -1, splitTurn: false };
  const over = overBudget(start, end, keepRecentTokens, (index) => {
    const entry = entries[index];
    return entry?.type === "message" ? messageTokens(entry.message, "v0.51.0") : undefined;
  });
  const behind = over < 0 ? -1 : firstIndex(over, end, isValid);
  // Where nothing may be cut behind the budget, everything stays.
  let cut = behind >= 0 ? behind : first;
  while (cut > start && !isMessageOrCompaction(entries[cut - 1])) cut -= 1;
  const entry = entries[cut];
  const isUser = entry?.type === "message" && entry.message.role === "user";
  return withTurn(cut, start, isUser, (index) => startsEntryTurn(entries[index]));
}

function firstIndex(start: number, end: number, matches: (index: number) => boolean): number {
  for (let index = start; index < end; index++) if (matches(index)) return index;
  return -1;
}

function lastIndex(start: number, end: number, matches: (index: number) => boolean): number {
  for (let index = end - 1; index >= start; index--) if (matches(index)) return index;
  return -1;
}

/** The entry at which the newest ones reach the budget; −1 where they never do. Sizes of `undefined` are passed over. */
function overBudget(
  start: number,
  end: number,
  budget: Tokens,
  tokensAt: (index: number) => Tokens | undefined,
): number {
  let sum = 0;
  for (let index = end - 1; index >= start; index--) {
    const tokens = tokensAt(index);
    if (tokens === undefined) continue;
    sum += tokens;
    if (sum >= budget) return index;
  }
  return -1;
}

function withTurn(cut: number, start: number, wholeTurn: boolean, isTurn: (index: number) => boolean): CutPoint {
  const turnStart = wholeTurn ? -1 : lastIndex(start, cut + 1, isTurn);
  return { firstKept: cut, turnStart, splitTurn: turnStart >= 0 };
}

/** Roles before which a context may be cut: all but results, prompts and what is unknown. */
function isCutRole(message: PiMessage): boolean {
  return message.role !== "toolResult" && message.role !== "system" && message.role !== "other";
}

function isTurnRole(message: PiMessage): boolean {
  return isCutRole(message) && message.role !== "assistant";
}

function isProjectedCut(one: ProjectedEntry | undefined): boolean {
  return one !== undefined && one.entry.type !== "compaction" && one.messages.some(isCutRole);
}

function startsProjectedTurn(one: ProjectedEntry | undefined): boolean {
  return one !== undefined && one.entry.type !== "compaction" && one.messages.some(isTurnRole);
}

function isInvisible(one: ProjectedEntry | undefined): boolean {
  return one !== undefined && one.entry.type !== "compaction" && one.messages.length === 0;
}

function isEntryCut(entry: PiEntry | undefined): boolean {
  if (entry?.type === "branch_summary" || entry?.type === "custom_message") return true;
  return entry?.type === "message" && isCutRole(entry.message);
}

function startsEntryTurn(entry: PiEntry | undefined): boolean {
  if (entry?.type === "branch_summary" || entry?.type === "custom_message") return true;
  return entry?.type === "message" && (entry.message.role === "user" || entry.message.role === "bashExecution");
}

function isMessageOrCompaction(entry: PiEntry | undefined): boolean {
  return entry?.type === "message" || entry?.type === "compaction";
}
