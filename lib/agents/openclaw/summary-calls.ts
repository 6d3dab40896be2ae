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

/** Tokens sent in all calls of one compaction. */
export function summaryCallTokens(input: SummaryInput): Tokens {
  const { window, maxHistoryShare, current } = input;
  const summarizable = total(input.history) + total(input.turnPrefix);
  let { history, previousSummary } = input;
  let sent = 0;
  if (hasMuchNewContent(input.tokensBefore, summarizable, window, maxHistoryShare)) {
    const { from } = pruneSizes(history, window, maxHistoryShare);
    const dropped = history.slice(0, from);
    if (from > 0) {
      sent += stagesTokens(dropped, previousSummary, chunkTokens(total(dropped), from, window, current), input);
      history = history.slice(from);
      previousSummary = input.summary;
    }
  }
  const most = chunkTokens(total(history) + total(input.turnPrefix), input.messages, window, current);
  return sent + stagesTokens(history, previousSummary, most, input) + stagesTokens(input.turnPrefix, 0, most, input);
}

function chunkTokens(tokens: Tokens, messages: number, window: Tokens, current: boolean): Tokens {
  const whole = Math.floor(window * chunkRatioOf(tokens, messages, window));
  return Math.max(1, current ? whole - SUMMARY_OVERHEAD_TOKENS : whole);
}

/** One summary of everything, or one a part and one of those. */
function stagesTokens(sizes: readonly Tokens[], previous: Tokens, most: Tokens, input: SummaryInput): Tokens {
  if (sizes.length === 0) return 0;
  if (sizes.length < MIN_MESSAGES_FOR_SPLIT || total(sizes) <= most) return chunksTokens(sizes, previous, most, input);
  const parts = cutAt(sizes, shareEnds(sizes, DEFAULT_PARTS));
  if (parts.length <= 1) return chunksTokens(sizes, previous, most, input);
  const merged = parts.map(() => input.summary);
  return total(parts.map((part) => chunksTokens(part, 0, most, input))) + chunksTokens(merged, previous, most, input);
}

/** Call by call, each with the summary before it. */
function chunksTokens(sizes: readonly Tokens[], previous: Tokens, most: Tokens, input: SummaryInput): Tokens {
  const ends = input.current
    ? endsWithin(sizes, Math.max(1, Math.floor(most / SAFETY_MARGIN)))
    : maximumEnds(sizes, most);
  if (input.fails) return 2 * (total(sizes.slice(0, ends[0])) + previous);
  return total(sizes) + previous + Math.max(0, ends.length - 1) * input.summary;
}

const NOTE = "Context contained  messages (0 oversized). Summary unavailable due to size limits.";
const TURN_CONTEXT = "\n\n---\n\n**Turn Context (split turn):**\n\n";

/** Tokens of what release 2026.2.1 leaves where every call fails: a note on the history, and one on a split turn. */
export function fallbackTokens(history: number, turnPrefix: number): Tokens {
  const note = (messages: number) =>
    messages === 0 ? "No prior history.".length : NOTE.length + String(messages).length;
  const prefix = turnPrefix > 0 ? TURN_CONTEXT.length + note(turnPrefix) : 0;
  return Math.ceil((note(history) + prefix) / 4);
}
