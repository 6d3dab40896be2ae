import { sumOf } from "@/lib/core/base/numbers";
import type { Tokens } from "@/lib/core/base/units";
import {
  chunkRatioOf,
  endsWithin,
  hasMuchNewContent,
  isOversizedSize,
  MIN_MESSAGES_FOR_SPLIT,
  SAFETY_MARGIN,
  shareEnds,
} from "./chunk-sizes";
import { groupsOf, type PlannedMessage, repaired } from "./planned-messages";
import { chunkTokens, type Summarised } from "./summary-calls";

/**
 * What release 2026.9.6 sends in vain for a summary whose calls all fail: it gives up after the first chunk. Computed from sizes alone, without
 * the prompts. Browser-safe. Source: README.md, "Summaries"; openclaw@2026.9.6, agents/compaction.
 */
export interface FailedAttemptsInput extends Summarised<readonly PlannedMessage[]> {
  /** Size of the previous summary; 0 where there is none. It is summarised with the rest. */
  readonly previousSummary: Tokens;
}

export interface FailedAttempts {
  readonly calls: number;
  readonly tokens: Tokens;
}

/** How often every call is tried. Source: openclaw@2026.9.6, agents/compaction, `attempts`. */
const ATTEMPTS = 3;

export function failedAttempts(input: FailedAttemptsInput): FailedAttempts {
  const { history, turnPrefix, window } = input;
  const dropped = droppedOf(input);
  const stage = [dropped, history, turnPrefix].find(({ length }) => length > 0) ?? [];
  const measured = stage === dropped ? dropped : [...history, ...turnPrefix];
  const previous = stage === turnPrefix || input.previousSummary === 0 ? [] : [{ tokens: input.previousSummary }];
  const most = chunkTokens(chunkRatioOf(tokensOf(measured), measured.length, window), window, true);
  const part = firstPart([...previous, ...stage], most);
  const small = withoutOversized(part, window);
  const tries = small.length > 0 && small.length < part.length ? [part, small] : [part];
  const sent = tries.map((messages) => firstChunk(messages, most));
  return { calls: ATTEMPTS * tries.length, tokens: ATTEMPTS * sumOf(sent) };
}

function tokensOf(messages: readonly PlannedMessage[]): Tokens {
  return sumOf(messages.map(({ tokens }) => tokens));
}

/** What is summarised separately: the oldest messages, until the rest is within its share, and the results that lose their call through that. */
function droppedOf(input: FailedAttemptsInput): readonly PlannedMessage[] {
  const { history, turnPrefix, window, maxHistoryShare } = input;
  const summarizable = tokensOf(history) + tokensOf(turnPrefix);
  if (!hasMuchNewContent(input.tokensBefore, summarizable, window, maxHistoryShare)) return [];
  const budget = Math.max(1, Math.floor(window * maxHistoryShare));
  const dropped: PlannedMessage[] = [];
  let kept = history;
  while (tokensOf(kept) > budget) {
    const groups = groupsOf(kept);
    const [first, ...others] = shareEnds(groups.map(tokensOf));
    if (first === undefined || others.length === 0) break;
    const rest = repaired(groups.slice(first).flat());
    dropped.push(...groups.slice(0, first).flat(), ...rest.discarded);
    kept = rest.messages;
  }
  return inOrderOf(history, dropped);
}

/** Some of the messages in their original order; any that are not among them come last. */
function inOrderOf(messages: readonly PlannedMessage[], some: readonly PlannedMessage[]): readonly PlannedMessage[] {
  const places = new Map(messages.map((message, at) => [message, at]));
  const place = (message: PlannedMessage) => places.get(message) ?? messages.length;
  return some.toSorted((one, other) => place(one) - place(other));
}

/** The older half, where one call does not take all messages. */
function firstPart(messages: readonly PlannedMessage[], most: Tokens): readonly PlannedMessage[] {
  const tokens = tokensOf(messages);
  const isSplit = messages.length >= MIN_MESSAGES_FOR_SPLIT && tokens > most;
  return isSplit ? firstWithin(messages, tokens / 2, 2) : messages;
}

/** The messages without those that are too large; a response or result takes all responses and results of its group along. */
function withoutOversized(messages: readonly PlannedMessage[], window: Tokens): readonly PlannedMessage[] {
  const isLarge = ({ tokens }: PlannedMessage) => isOversizedSize(tokens, window);
  return groupsOf(messages).flatMap((group) => {
    const parted = group.some((message) => isLarge(message) && isExchange(message));
    return group.filter((message) => !isLarge(message) && !(parted && isExchange(message)));
  });
}

function isExchange({ calls, answers }: PlannedMessage): boolean {
  return calls !== undefined || answers !== undefined;
}

function firstChunk(messages: readonly PlannedMessage[], most: Tokens): Tokens {
  return tokensOf(firstWithin(messages, Math.max(1, Math.floor(most / SAFETY_MARGIN))));
}

/** The first of neighbouring parts within a maximum, with groups kept whole. */
function firstWithin(messages: readonly PlannedMessage[], most: Tokens, parts?: number): readonly PlannedMessage[] {
  const groups = groupsOf(messages);
  return groups.slice(0, endsWithin(groups.map(tokensOf), most, parts)[0]).flat();
}
