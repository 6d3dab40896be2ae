import type { Share, Tokens } from "@/lib/core/base/units";
import { chunkRatioOf, hasMuchNewContent, MIN_MESSAGES_FOR_SPLIT, SAFETY_MARGIN } from "./chunk-sizes";
import { type Range, UnitSums } from "./unit-sums";

/** Content that a compaction summarises: messages, or (2026.9.6) groups that are never separated, and the beginning of a turn that the cut splits. */
export interface Summarised<Messages> {
  readonly history: Messages;
  readonly turnPrefix: Messages;
  readonly window: Tokens;
  readonly maxHistoryShare: Share;
  readonly tokensBefore: Tokens;
}

/**
 * Input of the plan of calls to the summarising model, from sizes alone. Its own prompts, some hundred tokens for each call, are not counted.
 * Browser-safe. Source: README.md, "Summaries".
 */
interface SummaryInput extends Summarised<UnitSums> {
  readonly previousSummary: Tokens;
  /** Size of every summary that is made. */
  readonly summary: Tokens;
  readonly current: boolean;
}

/** Kept free in a chunk for the surrounding prompt (2026.9.6). */
const SUMMARY_OVERHEAD_TOKENS: Tokens = 4096;

/** Tokens and calls for one summary. */
export interface SummaryPlan {
  /** Tokens sent in all calls. */
  readonly tokens: Tokens;
  readonly calls: number;
  /** Share of the window that one call takes, and its tokens. */
  readonly chunkShare: Share;
  readonly chunkTokens: Tokens;
  /** Number of messages that are summarised separately, because the kept items exceed the history's share of the window. */
  readonly prunedMessages: number;
}

/** The calls of one compaction: for what exceeds the history's share, for the history, and for a split turn's beginning. */
export function summaryPlan(input: SummaryInput): SummaryPlan {
  const { history, turnPrefix, window, maxHistoryShare, current } = input;
  const prefixTokens = turnPrefix.total(turnPrefix.all);
  const summarizable = history.total(history.all) + prefixTokens;
  const much = hasMuchNewContent(input.tokensBefore, summarizable, window, maxHistoryShare);
  const from = much ? history.prunedTo(Math.max(1, Math.floor(window * maxHistoryShare))) : 0;
  const dropped = { from: 0, to: from };
  const rest = { from, to: history.all.to };
  const previousSummary = from > 0 ? input.summary : input.previousSummary;
  const messages = history.messages(rest) + turnPrefix.messages(turnPrefix.all);
  const chunkShare = chunkRatioOf(history.total(rest) + prefixTokens, messages, window);
  const most = chunkTokens(chunkShare, window, current);
  const apart = chunkTokens(chunkRatioOf(history.total(dropped), history.messages(dropped), window), window, current);
  const sent = [
    stagesSent(history, dropped, input.previousSummary, apart, input),
    stagesSent(history, rest, previousSummary, most, input),
    stagesSent(turnPrefix, turnPrefix.all, 0, most, input),
  ];
  return { ...together(sent), chunkShare, chunkTokens: most, prunedMessages: history.messages(dropped) };
}

/** Tokens that one call takes. @param share of the window */
export function chunkTokens(share: Share, window: Tokens, current: boolean): Tokens {
  const whole = Math.floor(window * share);
  return Math.max(1, current ? whole - SUMMARY_OVERHEAD_TOKENS : whole);
}

interface Sent {
  readonly tokens: Tokens;
  readonly calls: number;
}

const NOTHING: Sent = { tokens: 0, calls: 0 };

function together(sent: readonly Sent[]): Sent {
  return sent.reduce((sum, one) => ({ tokens: sum.tokens + one.tokens, calls: sum.calls + one.calls }), NOTHING);
}

/** One summary of a whole range, or one for each part and one that merges those. */
function stagesSent(sums: UnitSums, range: Range, previous: Tokens, most: Tokens, input: SummaryInput): Sent {
  if (range.to === range.from) return NOTHING;
  const parts = sums.messages(range) < MIN_MESSAGES_FOR_SPLIT || sums.total(range) <= most ? [] : sums.halves(range);
  if (parts.length <= 1) return chunksSent(sums, range, previous, most, input);
  const merged = new UnitSums([0, ...parts.map((_, part) => (part + 1) * input.summary)]);
  return together([
    ...parts.map((part) => chunksSent(sums, part, 0, most, input)),
    chunksSent(merged, merged.all, previous, most, input),
  ]);
}

/** Tokens sent call by call, each together with the summary before it. */
function chunksSent(sums: UnitSums, range: Range, previous: Tokens, most: Tokens, input: SummaryInput): Sent {
  const ends = sums.ends(range, input.current ? Math.max(1, Math.floor(most / SAFETY_MARGIN)) : most);
  return { tokens: sums.total(range) + previous + Math.max(0, ends.length - 1) * input.summary, calls: ends.length };
}
