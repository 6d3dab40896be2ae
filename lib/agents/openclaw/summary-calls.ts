import type { Share, Tokens } from "@/lib/core/base/units";
import {
  chunkRatioOf,
  cutAt,
  DEFAULT_PARTS,
  endsWithin,
  hasMuchNewContent,
  MIN_MESSAGES_FOR_SPLIT,
  maximumEnds,
  pruneSizes,
  SAFETY_MARGIN,
  shareEnds,
  total,
} from "./chunk-sizes";

/**
 * What is sent to the summarising model, from sizes alone: the plan of calls that the safeguard makes. Its own prompts, some hundred
 * tokens a call, are not counted. Browser-safe. Source: systems/openclaw.md §4.
 */
export interface SummaryInput {
  /** What is summarised: sizes of messages, or (2026.9.6) of groups that are never parted. */
  readonly history: readonly Tokens[];
  readonly turnPrefix: readonly Tokens[];
  /** How many messages those are: they decide the size of a chunk. */
  readonly messages: number;
  readonly window: Tokens;
  readonly maxHistoryShare: Share;
  readonly tokensBefore: Tokens;
  readonly previousSummary: Tokens;
  /** Size of every summary that is made. */
  readonly summary: Tokens;
  readonly current: boolean;
  /** Whether every call fails: each is then tried twice, and nothing after it. */
  readonly fails: boolean;
}

/** Kept free of a chunk for what is around it (2026.9.6). */
const SUMMARY_OVERHEAD_TOKENS: Tokens = 4096;

/** What is sent to make one summary. */
export interface SummaryPlan {
  /** Tokens sent in all calls. */
  readonly tokens: Tokens;
  readonly calls: number;
  /** Share of the window that one call takes, and its tokens. */
  readonly chunkShare: Share;
  readonly chunkTokens: Tokens;
  /** Messages that are summarised apart, because more new content stays than the history's share of the window. */
  readonly prunedMessages: number;
}

/** The calls of one compaction: of what is beyond the history's share, of the history, of a split turn's beginning. */
export function summaryPlan(input: SummaryInput): SummaryPlan {
  const { window, maxHistoryShare, current } = input;
  const summarizable = total(input.history) + total(input.turnPrefix);
  const much = hasMuchNewContent(input.tokensBefore, summarizable, window, maxHistoryShare);
  const from = much ? pruneSizes(input.history, window, maxHistoryShare).from : 0;
  const dropped = input.history.slice(0, from);
  const history = from === 0 ? input.history : input.history.slice(from);
  const previousSummary = from > 0 ? input.summary : input.previousSummary;
  const left = from === 0 ? summarizable : total(history) + total(input.turnPrefix);
  const chunkShare = chunkRatioOf(left, input.messages, window);
  const most = chunkTokens(chunkShare, window, current);
  const apart = chunkTokens(chunkRatioOf(total(dropped), from, window), window, current);
  const sent = [
    stagesSent(dropped, input.previousSummary, apart, input),
    stagesSent(history, previousSummary, most, input),
    stagesSent(input.turnPrefix, 0, most, input),
  ];
  return { ...together(sent), chunkShare, chunkTokens: most, prunedMessages: from };
}

function chunkTokens(share: Share, window: Tokens, current: boolean): Tokens {
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

/** One summary of everything, or one a part and one of those. */
function stagesSent(sizes: readonly Tokens[], previous: Tokens, most: Tokens, input: SummaryInput): Sent {
  if (sizes.length === 0) return NOTHING;
  const sum = total(sizes);
  if (sizes.length < MIN_MESSAGES_FOR_SPLIT || sum <= most) return chunksSent(sizes, previous, most, input);
  const parts = cutAt(sizes, shareEnds(sizes, DEFAULT_PARTS, sum));
  if (parts.length <= 1) return chunksSent(sizes, previous, most, input);
  const merged = parts.map(() => input.summary);
  return together([
    ...parts.map((part) => chunksSent(part, 0, most, input)),
    chunksSent(merged, previous, most, input),
  ]);
}

/** Call by call, each with the summary before it. */
function chunksSent(sizes: readonly Tokens[], previous: Tokens, most: Tokens, input: SummaryInput): Sent {
  const ends = input.current
    ? endsWithin(sizes, Math.max(1, Math.floor(most / SAFETY_MARGIN)))
    : maximumEnds(sizes, most);
  if (input.fails) return { tokens: 2 * (total(sizes.slice(0, ends[0])) + previous), calls: 2 };
  return { tokens: total(sizes) + previous + Math.max(0, ends.length - 1) * input.summary, calls: ends.length };
}
