import type { Share, Tokens } from "@/lib/core/base/units";
import {
  chunkRatioOf,
  endsWithin,
  hasMuchNewContent,
  isOversizedSize,
  MIN_MESSAGES_FOR_SPLIT,
  SAFETY_MARGIN,
  shareEnds,
  total,
} from "./chunk-sizes";
import { chunkTokens } from "./summary-calls";

/**
 * What release 2026.9.6 sends in vain for a summary whose calls all fail: it gives up behind the first chunk. From sizes alone,
 * prompts not counted. Browser-safe. Source: README.md, "Summaries"; openclaw@2026.9.6, agents/compaction.
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

/** The messages of one group: a response and the results behind it, or one other message. */
export type MessageGroup = readonly GroupedMessage[];

export interface GroupedMessage {
  readonly tokens: Tokens;
  /** Whether it is a response or a result. */
  readonly isExchange?: boolean | undefined;
  /** Of a result: which group has its call, −1 where none has. Absent on other messages. */
  readonly callGroup?: number | undefined;
}

export interface FailedAttempts {
  readonly calls: number;
  readonly tokens: Tokens;
}

/** Every call is tried so often. Source: openclaw@2026.9.6, agents/compaction, `attempts`. */
const ATTEMPTS = 3;

export function failedAttempts(input: FailedAttemptsInput): FailedAttempts {
  const { history, turnPrefix, window } = input;
  const dropped = droppedOf(input);
  const stage = [dropped, history, turnPrefix].find(({ length }) => length > 0) ?? [];
  const measured = stage === dropped ? dropped : [...history, ...turnPrefix];
  const previous = stage === turnPrefix || input.previousSummary === 0 ? [] : [[{ tokens: input.previousSummary }]];
  const most = chunkTokens(chunkRatioOf(total(sizesOf(measured)), measured.flat().length, window), window, true);
  const part = firstPart([...previous, ...stage], most);
  const small = withoutOversized(part, window);
  const tries = small.length > 0 && small.flat().length < part.flat().length ? [part, small] : [part];
  const sent = tries.map((groups) => firstChunk(groups, most));
  return { calls: ATTEMPTS * tries.length, tokens: ATTEMPTS * total(sent) };
}

function sizesOf(groups: readonly MessageGroup[]): readonly Tokens[] {
  return groups.map((group) => total(group.map(({ tokens }) => tokens)));
}

/** What is summarised apart: the oldest, until the rest is within its share, and the results that this leaves without their call. */
function droppedOf(input: FailedAttemptsInput): readonly MessageGroup[] {
  const { history, turnPrefix, window, maxHistoryShare } = input;
  const summarizable = total(sizesOf(history)) + total(sizesOf(turnPrefix));
  if (!hasMuchNewContent(input.tokensBefore, summarizable, window, maxHistoryShare)) return [];
  const stays = new Set(keptWithin(history, Math.max(1, Math.floor(window * maxHistoryShare))).flat());
  return messagesWhere(history, (message) => !stays.has(message));
}

function keptWithin(history: readonly MessageGroup[], budget: Tokens): readonly MessageGroup[] {
  const groupOf = new Map(history.flatMap((group, at) => group.map((message) => [message, at] as const)));
  let kept = history;
  for (;;) {
    const sizes = sizesOf(kept);
    const [first, ...others] = shareEnds(sizes);
    if (total(sizes) <= budget || first === undefined || others.length === 0) return kept;
    const rest = kept.slice(first);
    const groups = new Set(rest.flat().map((message) => groupOf.get(message)));
    kept = messagesWhere(rest, ({ callGroup }) => callGroup === undefined || groups.has(callGroup));
  }
}

/** The groups with some of their messages; a group of none is gone. */
function messagesWhere(groups: readonly MessageGroup[], stays: (message: GroupedMessage) => boolean) {
  return groups.map((group) => group.filter(stays)).filter(({ length }) => length > 0);
}

/** The older half where one call does not take them all. */
function firstPart(groups: readonly MessageGroup[], most: Tokens): readonly MessageGroup[] {
  const sizes = sizesOf(groups);
  const isSplit = groups.flat().length >= MIN_MESSAGES_FOR_SPLIT && total(sizes) > most;
  return isSplit ? groups.slice(0, endsWithin(sizes, total(sizes) / 2, 2)[0]) : groups;
}

/** Without what is too large: a response or a result goes with all of its group, whose other messages then stand alone. */
function withoutOversized(groups: readonly MessageGroup[], window: Tokens): readonly MessageGroup[] {
  const isLarge = ({ tokens }: GroupedMessage) => isOversizedSize(tokens, window);
  return groups.flatMap((group) => {
    const small = group.filter((message) => !isLarge(message));
    if (group.some((message) => message.isExchange === true && isLarge(message))) {
      return small.filter(({ isExchange }) => isExchange !== true).map((message) => [message]);
    }
    return small.length > 0 ? [small] : [];
  });
}

function firstChunk(groups: readonly MessageGroup[], most: Tokens): Tokens {
  const sizes = sizesOf(groups);
  return total(sizes.slice(0, endsWithin(sizes, Math.max(1, Math.floor(most / SAFETY_MARGIN)))[0]));
}
