import { KEPT_TOOL, PRUNE_MINIMUM, PRUNE_PROTECT, PRUNE_TURNS } from "@/lib/agents/opencode/base/constants";
import {
  compactionPart,
  isCleared,
  isCompleteSummary,
  messageId,
  type SessionMessage,
  toMessage,
} from "@/lib/agents/opencode/messages/message";
import { textTokens } from "@/lib/agents/opencode/messages/tokens";
import { type ModelLimit, maxOutput, type OverflowConfig, usable } from "@/lib/agents/opencode/policy/overflow";
import { tailBudget, tailStart } from "@/lib/agents/opencode/policy/tail";
import { serializedMessage, truncatedToolOutput } from "@/lib/agents/opencode/summary/summary-prompt";
import { isObject, type JsonObject, objectOf, objectsOf, textOf } from "@/lib/agents/shared/json";
import type { Tokens } from "@/lib/core/base/units";
import type { Conformance } from "@/verify/golden";
import { contextPanel } from "./context-panel";
import { isOverflow, isOverflowOf2025 } from "./overflow";

/** Runs golden cases through our functions. This file only translates names and shapes, and holds no rule. */
export const conformance: Conformance = {
  breakdown: adapter(({ messages, parts, input, systemPrompt }) => {
    const byMessage = objectOf(parts);
    const list = objectsOf(messages).map((info) => ({ info, parts: objectsOf(byMessage[textOf(info.id)]) }));
    return contextPanel(list, Number(input), typeof systemPrompt === "string" ? systemPrompt : undefined);
  }),
  estimate: adapter(({ text }) => textTokens(textOf(text))),
  "filter-compacted": (input) => filterCompacted(objectsOf(input).map(flatMessage)).map(messageId),
  overflow: adapter(overflowShape),
  prune: adapter(pruneShape),
  "select-tail": adapter(tailShape),
  serialize: adapter((input) =>
    "text" in input
      ? truncatedToolOutput(textOf(input.text), optional(input.maxChars))
      : serializedMessage(toMessage(input)),
  ),
  "upstream-tests": adapter(upstreamShape),
  usage: adapter(usageShape),
};

function adapter(answer: (input: JsonObject) => unknown): Conformance[string] {
  return (input: unknown) => answer(objectOf(input));
}

/** A number, which may be given as a text; `undefined` if there is none. */
function optional(value: unknown): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}

/** The cases hold the parts separately from the message's own fields. */
function flatMessage({ parts, ...info }: JsonObject): SessionMessage {
  return { info, parts: objectsOf(parts) };
}

function limitOf(model: unknown): ModelLimit {
  const limit = objectOf(objectOf(model).limit);
  return { context: Number(limit.context ?? 0), output: Number(limit.output ?? 0), input: optional(limit.input) };
}

function configOf(config: unknown, outputTokenMax: unknown): OverflowConfig {
  const { auto, reserved } = objectOf(objectOf(config).compaction);
  return { auto: auto !== false, reserved: optional(reserved), maxOutput: optional(outputTokenMax) };
}

function tokensOf(tokens: unknown) {
  const { total, input, output, cache } = objectOf(tokens);
  const { read, write } = objectOf(cache);
  return {
    total: optional(total),
    input: Number(input ?? 0),
    output: Number(output ?? 0),
    cacheRead: Number(read ?? 0),
    cacheWrite: Number(write ?? 0),
  };
}

function overflowShape({ model, config, tokens, outputTokenMax }: JsonObject): unknown {
  const [limit, settings] = [limitOf(model), configOf(config, outputTokenMax)];
  return {
    usable: usable(limit, settings),
    maxOutputTokens: maxOutput(limit, settings),
    overflow: isOverflow(tokensOf(tokens), limit, settings),
    overflowOldStrict: isOverflowOf2025(tokensOf(tokens), limit, settings),
  };
}

function pruneShape({ messages, config }: JsonObject): unknown {
  const ran = objectOf(objectOf(config).compaction).prune === true;
  if (!ran) return { total: 0, pruned: 0, toPrune: [], applied: false, ran };
  const { parts, ...sums } = prunedParts(objectsOf(messages).map(prunableMessage));
  return { ...sums, toPrune: parts.map((part) => part.id), ran };
}

function prunableMessage(value: JsonObject) {
  const { info, parts } = toMessage(value);
  return {
    role: textOf(info.role),
    summary: info.summary === true,
    parts: parts.filter((part) => part.type === "tool").map(prunablePart),
  };
}

function prunablePart(part: JsonObject): PrunablePart & { readonly id: string } {
  const state = isObject(part.state) ? part.state : part;
  return {
    id: textOf(part.id),
    tool: textOf(part.tool),
    completed: state.status === "completed",
    cleared: isCleared(part) || Boolean(part.compacted) || Boolean(objectOf(part.time).compacted),
    tokens: textTokens("x".repeat(Number(part.outputChars ?? 0))),
  };
}

function tailShape({ messages, config, model, outputTokenMax }: JsonObject): unknown {
  const list = objectsOf(messages);
  const compaction = objectOf(objectOf(config).compaction);
  const tail = { turns: optional(compaction.tail_turns), tokens: optional(compaction.preserve_recent_tokens) };
  const budget = tailBudget(usable(limitOf(model), configOf(config, outputTokenMax)), tail);
  const size = (from: number, to: number) => list.slice(from, to).reduce((sum, one) => sum + Number(one.size), 0);
  const starts = list.map(
    ({ role, parts }) => role === "user" && !(Array.isArray(parts) && parts.includes("compaction")),
  );
  const start = tailStart(starts, size, budget, tail);
  const ids = list.map((one) => textOf(one.id));
  return { budget, tailStartId: start === undefined ? null : ids[start], head: ids.slice(0, start) };
}

function upstreamShape(input: JsonObject): unknown {
  switch (input.fn) {
    case "isOverflow":
      return isOverflow(tokensOf(input.tokens), limitOf(input.model), configOf(input.config, undefined));
    case "usable":
      return usable(limitOf(input.model), configOf(input.config, undefined));
    case "Token.estimate":
      return textTokens(typeof input.text === "string" ? input.text : "x".repeat(Number(input.chars)));
    case "getUsage.tokens":
      return usageShape(input);
    default:
      throw new Error(`unknown function ${String(input.fn)}`);
  }
}

function usageShape({ usage, metadata }: JsonObject): unknown {
  return recordedTokens(numbers(objectOf(usage)), objectOf(metadata));
}

/** Numbers that JSON cannot hold are given as texts. */
function numbers(usage: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(usage).map(([key, value]) => [
      key,
      typeof value === "string" ? Number(value) : (value ?? undefined),
    ]),
  );
}

/**
 * The messages that the model sees, in the order in which they are sent: first the newest completed compaction and its summary, then the kept
 * part. If the tail cannot be found, everything stays unchanged. Source: README.md, "Sent messages after a compaction".
 */
export function filterCompacted(messages: readonly SessionMessage[]): readonly SessionMessage[] {
  const completed = new Set<string>();
  let tail: string | undefined;
  let from = messages.length;
  while (from > 0) {
    from -= 1;
    const message = messages[from];
    if (message === undefined) break;
    if (tail !== undefined) {
      if (messageId(message) === tail) break;
      continue;
    }
    const part = completed.has(messageId(message)) ? compactionPart(message) : undefined;
    if (part !== undefined) {
      tail = textOf(part.tail_start_id) || undefined;
      if (tail === undefined || tail === messageId(message)) break;
    }
    if (isCompleteSummary(message)) completed.add(textOf(message.info.parentID));
  }
  return summaryFirst(messages.slice(from));
}

/**
 * Moves the newest compaction with a tail, whatever its outcome, and everything up to its summary before the tail. Source: opencode 1.18.15,
 * `filterCompacted` in `session/message-v2.ts`.
 */
function summaryFirst(messages: readonly SessionMessage[]): readonly SessionMessage[] {
  const at = messages.findLastIndex((message) => compactionPart(message)?.tail_start_id !== undefined);
  const compaction = messages[at];
  if (compaction === undefined) return messages;
  const [id, tail] = [messageId(compaction), textOf(compactionPart(compaction)?.tail_start_id)];
  const summary = messages.findIndex(
    ({ info }, index) => index > at && info.role === "assistant" && Boolean(info.summary) && info.parentID === id,
  );
  const start = tail === "" ? -1 : messages.findIndex((message) => messageId(message) === tail);
  if (start < 0 || start >= at || summary < 0) return messages;
  return [...messages.slice(at, summary + 1), ...messages.slice(start, at), ...messages.slice(summary + 1)];
}

/** Tokens as opencode writes them with a response. */
interface RecordedTokens {
  /** Absent if the provider stated none. */
  readonly total: Tokens | undefined;
  readonly input: Tokens;
  readonly output: Tokens;
  readonly reasoning: Tokens;
  readonly cache: { readonly read: Tokens; readonly write: Tokens };
}

/**
 * The recorded part of a provider's usage: the input without the cached part, and the output without reasoning. A value that is not a number, or is
 * negative, is recorded as 0. Source: README.md, "Usage".
 */
export function recordedTokens(usage: JsonObject, metadata: JsonObject): RecordedTokens {
  const details = { input: objectOf(usage.inputTokenDetails), output: objectOf(usage.outputTokenDetails) };
  const reasoning = safe(details.output.reasoningTokens ?? usage.reasoningTokens);
  const read = safe(details.input.cacheReadTokens ?? usage.cacheReadInputTokens ?? usage.cachedInputTokens);
  const write = safe(details.input.cacheWriteTokens ?? usage.cacheWriteInputTokens ?? writtenOf(metadata));
  return {
    total: typeof usage.totalTokens === "number" ? usage.totalTokens : undefined,
    input: safe(safe(usage.inputTokens) - read - write),
    output: safe(safe(usage.outputTokens) - reasoning),
    reasoning,
    cache: { read, write },
  };
}

/** Cache writes if only the provider's own metadata states them. */
function writtenOf(metadata: JsonObject): unknown {
  return (
    objectOf(metadata.anthropic).cacheCreationInputTokens ??
    objectOf(metadata.vertex).cacheCreationInputTokens ??
    objectOf(objectOf(metadata.bedrock).usage).cacheWriteInputTokens ??
    objectOf(objectOf(metadata.venice).usage).cacheCreationInputTokens
  );
}

function safe(value: unknown): number {
  const number = Number(value ?? 0);
  return Number.isFinite(number) ? Math.max(0, number) : 0;
}

/** The parts of a message that clearing uses. */
interface PrunableMessage<Part extends PrunablePart> {
  readonly role: string;
  readonly summary: boolean;
  /** Its tool calls, oldest first. */
  readonly parts: readonly Part[];
}

interface PrunablePart {
  readonly tool: string;
  readonly completed: boolean;
  /** True if its output was cleared before. */
  readonly cleared: boolean;
  /** Tokens of its output. */
  readonly tokens: Tokens;
}

interface Pruned<Part> {
  readonly total: Tokens;
  readonly pruned: Tokens;
  /** The parts to clear, newest first. */
  readonly parts: readonly Part[];
  /** True if there is enough to clear, so that the outputs are in fact cleared. */
  readonly applied: boolean;
}

/**
 * Old tool outputs that are cleared. The newest two turns keep theirs, and so do the newest 40,000 tokens of output before those. Everything
 * older is cleared, back to a summary or to an output that was cleared before. Source: README.md, "Clearing".
 */
export function prunedParts<Part extends PrunablePart>(
  messages: readonly PrunableMessage<Part>[],
  protect: Tokens = PRUNE_PROTECT,
  minimum: Tokens = PRUNE_MINIMUM,
): Pruned<Part> {
  const parts: Part[] = [];
  let [turns, total, pruned] = [0, 0, 0];
  const result = () => ({ total, pruned, parts, applied: pruned > minimum });
  for (const message of messages.toReversed()) {
    if (message.role === "user") turns += 1;
    if (turns < PRUNE_TURNS) continue;
    if (message.role === "assistant" && message.summary) return result();
    for (const part of message.parts.toReversed()) {
      if (!part.completed || part.tool === KEPT_TOOL) continue;
      if (part.cleared) return result();
      total += part.tokens;
      if (total <= protect) continue;
      pruned += part.tokens;
      parts.push(part);
    }
  }
  return result();
}
