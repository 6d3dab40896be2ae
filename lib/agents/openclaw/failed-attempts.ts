import type { Share, Tokens } from "@/lib/core/base/units";
import {
  chunkRatioOf,
  endsWithin,
  hasMuchNewContent,
  isOversizedSize,
  MIN_MESSAGES_FOR_SPLIT,
  pruneSizes,
  SAFETY_MARGIN,
  total,
} from "./chunk-sizes";
import { chunkTokens } from "./summary-calls";

/**
 * What release 2026.9.6 sends in vain for a summary whose calls all fail: it gives up behind the first chunk. From sizes alone,
 * prompts not counted. Browser-safe. Source: systems/openclaw.md §4 and §10.13; openclaw@2026.9.6, agents/compaction.
 */
export interface FailedAttemptsInput {
  /** Messages that are never parted, with the tokens of each. */
  readonly history: readonly MessageGroup[];
  readonly turnPrefix: readonly MessageGroup[];
  readonly window: Tokens;
  readonly maxHistoryShare: Share;
  readonly tokensBefore: Tokens;
  /** Size of the summary before; 0 where there is none. It is summarised with the rest. */
  readonly previousSummary: Tokens;
}

/** Tokens of the messages of one group: a response and the results behind it, or one other message. */
export type MessageGroup = readonly Tokens[];

export interface FailedAttempts {
  readonly calls: number;
  readonly tokens: Tokens;
}

/** Every call is tried so often. Source: openclaw@2026.9.6, agents/compaction, `attempts`. */
const ATTEMPTS = 3;

export function failedAttempts(input: FailedAttemptsInput): FailedAttempts {
  const { history, turnPrefix, window } = input;
  const from = prunedFrom(input);
  const dropped = history.slice(0, from);
  const rest = history.slice(from);
  const stage = [dropped, rest, turnPrefix].find(({ length }) => length > 0) ?? [];
  const measured = stage === dropped ? dropped : [...rest, ...turnPrefix];
  const previous = stage === turnPrefix || input.previousSummary === 0 ? [] : [[input.previousSummary]];
  const sizes = measured.flat();
  const most = chunkTokens(chunkRatioOf(total(sizes), sizes.length, window), window, true);
  const part = firstPart([...previous, ...stage], most);
  const small = withoutOversized(part, window);
  const tries = small.length > 0 && small.length < part.length ? [part, small] : [part];
  const sent = tries.map((groups) => firstChunk(groups, most));
  return { calls: ATTEMPTS * tries.length, tokens: ATTEMPTS * total(sent) };
}

/** First group that is not summarised apart. */
function prunedFrom({ history, turnPrefix, window, maxHistoryShare, tokensBefore }: FailedAttemptsInput): number {
  const sizes = history.map(total);
  const summarizable = total(sizes) + total(turnPrefix.map(total));
  const much = hasMuchNewContent(tokensBefore, summarizable, window, maxHistoryShare);
  return much ? pruneSizes(sizes, window, maxHistoryShare).from : 0;
}

/** The older half where one call does not take them all. */
function firstPart(groups: readonly MessageGroup[], most: Tokens): readonly MessageGroup[] {
  const sizes = groups.map(total);
  const isSplit = groups.flat().length >= MIN_MESSAGES_FOR_SPLIT && total(sizes) > most;
  return isSplit ? groups.slice(0, endsWithin(sizes, total(sizes) / 2, 2)[0]) : groups;
}

/** A group goes with a message that is too large; one of calls and results goes as a whole. */
function withoutOversized(groups: readonly MessageGroup[], window: Tokens): readonly MessageGroup[] {
  return groups.filter((group) => !group.some((size) => isOversizedSize(size, window)));
}

function firstChunk(groups: readonly MessageGroup[], most: Tokens): Tokens {
  const sizes = groups.map(total);
  return total(sizes.slice(0, endsWithin(sizes, Math.max(1, Math.floor(most / SAFETY_MARGIN)))[0]));
}
