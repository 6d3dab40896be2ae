import type { Conformance } from "../../golden";
import { isObject, type JsonObject, objectOf, objectsOf, textOf } from "../../json";
import { isCleared, messageId, type SessionMessage, toMessage } from "../messages/message";
import { textTokens } from "../messages/tokens";
import {
  isOverflow,
  isOverflowOf2025,
  type ModelLimit,
  maxOutput,
  type OverflowConfig,
  usable,
} from "../policy/overflow";
import { tailBudget, tailStart } from "../policy/select-tail";
import { contextPanel } from "../report/context-panel";
import { serializedMessage, truncatedToolOutput } from "../summary/serialize";
import { filterCompacted } from "./filter-compacted";
import { recordedTokens } from "./provider-usage";
import { type PrunablePart, prunedParts } from "./prune";

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

/** A number, which may be given as a text; `undefined` where there is none. */
function optional(value: unknown): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}

/** The cases hold the parts apart from the message's own fields. */
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
