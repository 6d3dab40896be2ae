import type { Tokens } from "@/lib/core/base/units";
import type { Usage } from "@/lib/core/transcript/model";
import { type KnownUsageFields, type RecordNumbers, UNREPORTED_NUMBERS } from "@/lib/core/transcript/record-numbers";
import { isObject } from "../messages/content";

const KNOWN_FIELDS: KnownUsageFields = new Set(["input", "cached", "output", "thoughts", "tool", "total"]);

/**
 * Usage as recorded: `input` is the whole prompt, including the cached part. Thoughts are not part of `output` if the record's total implies so, or
 * is missing. `undefined` if no input is recorded; failed turns write 0.
 */
export function usageOf(tokens: unknown, numbers: RecordNumbers): Usage | undefined {
  if (!isObject(tokens)) return undefined;
  numbers.unknownUsage(tokens, KNOWN_FIELDS);
  const input = numbers.tokens(tokens.input, "input");
  if (input === undefined) return undefined;
  const cached = numbers.tokens(tokens.cached, "cached");
  const output = numbers.tokens(tokens.output, "output");
  const thoughts = numbers.tokens(tokens.thoughts, "thoughts");
  const total = numbers.sum(tokens.total, "total");
  const counted = input + (output ?? 0);
  const inside = (thoughts ?? 0) > 0 && (total === counted || total === counted + (toolPromptOf(tokens) ?? 0));
  return {
    input: Math.max(0, input - (cached ?? 0)),
    ...(cached === undefined ? {} : { cacheRead: Math.min(cached, input) }),
    ...(output === undefined ? {} : { output: output + (inside ? 0 : (thoughts ?? 0)) }),
    reasoning: thoughts,
  };
}

/**
 * Tokens that the provider's tools put into the prompt (`toolUsePromptTokenCount`): read and paid for within the response as a prompt of its own, in
 * addition to `input` and not part of the history. `undefined` if there are none, or if the record's total shows that `input` includes them. Source:
 * README.md, "Traps".
 */
export function toolPromptOf(tokens: unknown, numbers: RecordNumbers = UNREPORTED_NUMBERS): Tokens | undefined {
  if (!isObject(tokens)) return undefined;
  const tool = numbers.tokens(tokens.tool, "tool") ?? 0;
  const parts = [tokens.input, tokens.output, tokens.thoughts].map((part) => UNREPORTED_NUMBERS.tokens(part, "") ?? 0);
  const included = tokens.total === parts.reduce((sum, part) => sum + part, 0);
  return tool > 0 && !included ? tool : undefined;
}
