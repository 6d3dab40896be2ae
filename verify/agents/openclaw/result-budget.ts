import { aggregateResultChars, liveResultChars } from "@/lib/agents/openclaw/base/constants";
import type { AgentMessage } from "@/lib/agents/openclaw/messages/message";
import { stringChars } from "@/lib/agents/openclaw/messages/string-chars";
import { type JsonObject, listOf, textOf } from "@/lib/agents/openclaw/messages/value";
import { isTextBlock, resultChars } from "@/lib/agents/openclaw/sent/result-budget";
import {
  fitHead,
  MIN_KEEP_CHARS,
  truncateResultText,
  truncationMarker,
} from "@/lib/agents/openclaw/sent/truncate-result";
import { sumOf } from "@/lib/core/base/numbers";
import type { Chars, Tokens } from "@/lib/core/base/units";

/**
 * Chars that release 2026.9.6 can remove from a history's tool results if a prompt does not fit: it truncates results above their limit, then
 * truncates and clears the oldest until all of them fit the common limit. Results that the program spilled to a file are not distinguished, since we
 * do not have the file. Source: README.md, "Tool results"; openclaw@2026.9.6, tool-result-truncation.
 */

/** Text in place of removed characters, whose number it states. */
type Marker = (removed: number) => string;

interface MessageTruncation {
  readonly minKeepChars?: number;
  readonly marker?: Marker;
}

/** A result cut to a number of chars, divided among its texts by their size; small texts stay whole if possible. */
export function truncateResult(message: AgentMessage, maxChars: Chars, options: MessageTruncation = {}): AgentMessage {
  const marker = options.marker ?? truncationMarker;
  const room = Math.max(0, maxChars - stringChars(marker(1)));
  const minKeep = Math.max(0, Math.min(options.minKeepChars ?? MIN_KEEP_CHARS, room));
  if (!Array.isArray(message.content)) return message;
  const parts = partsOf(message.content, minKeep, marker);
  if (sumOf(parts.map((part) => part.chars)) <= maxChars) return message;
  const budgets = budgetsOf(parts, maxChars, minKeep);
  const content = parts.map(({ block }, index) => {
    if (!isTextBlock(block)) return block;
    const { chars, keep } = budgets[index] ?? { chars: 0, keep: 0 };
    return withText(block, truncateResultText(block.text, chars, { minKeepChars: keep, marker }));
  });
  return { ...message, content };
}

function withText(block: JsonObject, text: string): JsonObject {
  return { ...block, text, ...(typeof block.content === "string" ? { content: text } : {}) };
}

interface Part {
  readonly block: unknown;
  readonly chars: Chars;
  /** Chars of its marker. */
  readonly notice: Chars;
  readonly small: boolean;
}

function partsOf(content: readonly unknown[], minKeep: Chars, marker: Marker): readonly Part[] {
  return content.map((block) => {
    const text = isTextBlock(block) ? block.text : "";
    const chars = stringChars(text);
    if (chars === 0) return { block, chars, notice: 0, small: false };
    const notice = stringChars(marker(Math.max(1, text.length)));
    return { block, chars, notice, small: text.length <= minKeep && chars <= minKeep };
  });
}

function budgetsOf(parts: readonly Part[], maxChars: Chars, minKeep: Chars) {
  const charsOf = (some: readonly Part[]) => sumOf(some.map((part) => part.chars));
  const noticesOf = (some: readonly Part[]) => sumOf(some.map((part) => part.notice));
  const small = parts.filter((part) => part.small);
  const large = parts.filter((part) => !part.small);
  const keepsSmall = charsOf(small) + noticesOf(large) <= maxChars;
  const shrinking = keepsSmall ? large : parts;
  const room = Math.max(0, maxChars - (keepsSmall ? charsOf(small) : 0));
  const notices = noticesOf(shrinking);
  const total = charsOf(shrinking);
  const scale = notices > 0 ? Math.min(1, room / notices) : 0;
  const shared = Math.max(0, room - notices);
  return parts.map((part) => {
    if (keepsSmall && part.small) return { chars: part.chars, keep: part.chars };
    const share = total > 0 ? part.chars / total : 0;
    return { chars: Math.floor(part.notice * scale + shared * share), keep: Math.floor(minKeep * share) };
  });
}

/** Number of chars that could be removed. */
export function reducibleResultChars(messages: readonly AgentMessage[], window: Tokens, maxResultChars?: Chars): Chars {
  return sumOf(reducedResults(messages, window, maxResultChars).map(({ reduction }) => reduction));
}

/** A result, its truncated or cleared form, and the weighted chars that this removes. */
interface ReducedResult {
  readonly before: AgentMessage;
  readonly after: AgentMessage;
  readonly reduction: Chars;
}

/** Every result of a history with its remaining text. */
export function reducedResults(
  messages: readonly AgentMessage[],
  window: Tokens,
  maxResultChars: Chars = liveResultChars(window),
): readonly ReducedResult[] {
  const maxChars = Math.max(1, maxResultChars);
  const budget = Math.max(1, aggregateResultChars(window, maxChars));
  const results = messages
    .filter((message) => message.role === "toolResult")
    .map((message) => ({ message, chars: resultChars(message) }));
  const truncated = results.map((result) => (result.chars > maxChars ? shortened(result, maxChars) : result));
  const reduced = withinAggregate(truncated, budget);
  return results.map(({ message, chars }, at) => ({
    before: message,
    after: reduced[at]?.message ?? message,
    reduction: reductionOf(chars, truncated[at]?.chars ?? 0, reduced[at]?.chars ?? 0),
  }));
}

function reductionOf(whole: Chars, truncated: Chars, reduced: Chars): Chars {
  return Math.max(0, whole - truncated) + Math.max(0, truncated - reduced);
}

interface Result {
  readonly message: AgentMessage;
  readonly chars: Chars;
}

function shortened(result: Result, maxChars: Chars, marker?: Marker): Result {
  const options = marker === undefined ? { minKeepChars: 0 } : { minKeepChars: 0, marker };
  const message = truncateResult(result.message, maxChars, options);
  return message === result.message ? result : { message, chars: resultChars(message) };
}

const CLEARED =
  "[tool result elided: aggregate tool-result budget exceeded; rerun the command if the output is needed]";

function shortMarker(removed: number): string {
  return `[... ${Math.max(1, Math.floor(removed))} chars truncated; narrow args]`;
}

/** Oldest first, truncates results as far as possible and then clears them, until all of them are within the budget. */
function withinAggregate(results: readonly Result[], budget: Chars): readonly Result[] {
  const filled = results.filter((result) => result.chars > 0);
  let excess = sumOf(filled.map((result) => result.chars)) - budget;
  if (filled.length < 2 || excess <= 0) return results;
  const marker = budget < filled.length * stringChars(truncationMarker(1)) ? shortMarker : truncationMarker;
  const least = stringChars(marker(1));
  const reduced = [...results];
  for (const clears of [false, true]) {
    for (const [at, source] of results.entries()) {
      const now = reduced[at]?.chars ?? 0;
      if (excess <= 0 || source.chars === 0 || (!clears && now <= least)) continue;
      const next = clears ? cleared(source, now - excess) : shortened(source, Math.max(least, now - excess), marker);
      if (next.chars >= now) continue;
      reduced[at] = next;
      excess -= now - next.chars;
    }
  }
  return reduced;
}

function cleared({ message }: Result, maxChars: Chars): Result {
  let room = Math.max(0, Math.floor(maxChars));
  const content = listOf(message.content).map((block) => {
    if (!isTextBlock(block)) return block;
    const text = fitHead(CLEARED, room);
    room = Math.max(0, room - stringChars(text));
    return withText(block, textOf(text) ?? "");
  });
  const after = { ...message, content };
  return { message: after, chars: resultChars(after) };
}
