import { writtenAs } from "@/lib/core/records/fields";
import { messageTexts, type ResponseItem } from "../messages/item";
import { callLinkOf } from "./blocks";

/** Facts about a message of the recorded context for compactions and rollbacks. */
export interface HistoryEntry {
  /** Index in the transcript. */
  readonly message: number;
  /** Items with the same content have the same key. */
  readonly key: string;
  readonly turnStart: boolean;
  /** True if it belongs to the initial context, which every local compaction recreates. */
  readonly initial: boolean;
  /** Tokens that local compaction counts for a user message; `undefined` for messages that it drops. */
  readonly userTokens: number | undefined;
}

/** The key of an item: its role and a digest of its texts, or the call's id. Stored instead of the text, which may be long. */
export function historyKey(item: ResponseItem): string {
  if (item.type === "message") return `${writtenAs(item.role)}:${digest(messageTexts(item).join("\0"))}`;
  return `${item.type}:${callLinkOf(item) ?? digestOfEnds(JSON.stringify(item))}`;
}

/** UTF-16 units at each end that distinguish long items: long contents are encrypted, and no two of those begin or end alike. */
const END_UNITS = 1024;

function digestOfEnds(text: string): string {
  if (text.length <= END_UNITS * 2) return digest(text);
  return `${text.length}:${digest(text.slice(0, END_UNITS))}:${digest(text.slice(-END_UNITS))}`;
}

/** A 53-bit digest of a text, and its length: enough to distinguish any two messages of one file. */
function digest(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return `${text.length}:${(high >>> 0).toString(36)}${(low >>> 0).toString(36)}`;
}

/**
 * Matches a replacement history with earlier messages: for each of its items an index into `history`, or −1 for a new item. Matched from the end,
 * since a compaction keeps the newest.
 */
export function matchHistory(history: readonly HistoryEntry[], keys: readonly string[]): readonly number[] {
  const places = new Map<string, number[]>();
  for (const [index, entry] of history.entries()) {
    const list = places.get(entry.key);
    if (list === undefined) places.set(entry.key, [index]);
    else list.push(index);
  }
  return [...keys]
    .reverse()
    .map((key) => places.get(key)?.pop() ?? -1)
    .reverse();
}

/**
 * Entries that a local compaction keeps if its record holds no replacement history: the initial context and the newest user messages within the
 * budget. The first that does not fit was cut to the rest; the file does not hold the cut text, so it counts whole. Source: README.md, "Local
 * compaction" and "Replay of a resumed session".
 */
export function keptByRule(history: readonly HistoryEntry[], budget: number): readonly HistoryEntry[] {
  const kept = new Set<HistoryEntry>();
  let remaining = budget;
  for (const entry of history.toReversed()) {
    if (entry.userTokens === undefined) continue;
    if (remaining <= 0) break;
    kept.add(entry);
    remaining -= entry.userTokens;
  }
  return history.filter((entry) => entry.initial || kept.has(entry));
}

/** The history before its last `turns` turns, or all of it if no turn begins. Source: README.md, "History". */
export function withoutLastTurns(history: readonly HistoryEntry[], turns: number): readonly HistoryEntry[] {
  const starts = history.flatMap((entry, index) => (entry.turnStart ? [index] : []));
  const cut = turns > 0 ? starts[Math.max(0, starts.length - turns)] : undefined;
  return cut === undefined ? history : history.slice(0, cut);
}
