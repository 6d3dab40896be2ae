import type { Figures, KnownUsageFields } from "@/lib/core/transcript/figures";
import type { Usage } from "@/lib/core/transcript/model";
import { isObject } from "../messages/content";

const KNOWN_FIELDS: KnownUsageFields = new Set(["input", "cached", "output", "thoughts", "tool", "total"]);

/**
 * Usage as recorded: `input` is the whole prompt, including the cached part. Thoughts are not part of `output` where the record's total says so,
 * or says nothing. `undefined` where no input is recorded; failed turns write 0.
 */
export function usageOf(tokens: unknown, figures: Figures): Usage | undefined {
  if (!isObject(tokens)) return undefined;
  figures.unknownUsage(tokens, KNOWN_FIELDS);
  const input = figures.tokens(tokens.input, "input");
  if (input === undefined) return undefined;
  const cached = figures.tokens(tokens.cached, "cached");
  const output = figures.tokens(tokens.output, "output");
  const thoughts = figures.tokens(tokens.thoughts, "thoughts");
  const total = figures.sum(tokens.total, "total");
  const inside = total === input + (output ?? 0) && (thoughts ?? 0) > 0;
  return {
    input: Math.max(0, input - (cached ?? 0)),
    ...(cached === undefined ? {} : { cacheRead: Math.min(cached, input) }),
    ...(output === undefined ? {} : { output: output + (inside ? 0 : (thoughts ?? 0)) }),
    ...(thoughts === undefined ? {} : { reasoning: thoughts }),
  };
}
