import { isObject } from "@/lib/agents/shared/json";
import type { Usage } from "@/lib/core/transcript/model";
import type { KnownUsageFields, RecordNumbers } from "@/lib/core/transcript/record-numbers";

/** Fields of `compactionTokensUsed`; not needed: its duration, which the boundary states, and the bill in the program's own units. */
const SUMMARY_CALL_FIELDS: KnownUsageFields = new Set([
  ...["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "duration", "copilotUsage"],
  // Names of earlier releases.
  ...["input", "output", "cachedInput"],
]);

/**
 * Usage of a call for a summary, under the present names or those of earlier releases. `inputTokens` counts the whole input, including the cached
 * part. Source: README.md, "Usage".
 */
export function summaryCallUsage(used: unknown, numbers: RecordNumbers): Usage | undefined {
  numbers.unknownUsage(used, SUMMARY_CALL_FIELDS);
  return usageOf(used, numbers);
}

/** Usage of an `assistant.usage` event, which only a captured stream has: its other fields are durations, quotas and counts of tools. */
export function requestUsage(data: unknown, numbers: RecordNumbers): Usage | undefined {
  return usageOf(data, numbers);
}

function usageOf(used: unknown, numbers: RecordNumbers): Usage | undefined {
  if (!isObject(used)) return undefined;
  const sent = numbers.tokens(used.inputTokens ?? used.input, "inputTokens");
  if (sent === undefined) return undefined;
  const cacheRead = numbers.tokens(used.cacheReadTokens ?? used.cachedInput, "cacheReadTokens");
  const cacheWrite = numbers.tokens(used.cacheWriteTokens, "cacheWriteTokens");
  const output = numbers.tokens(used.outputTokens ?? used.output, "outputTokens");
  const reasoning = numbers.tokens(used.reasoningTokens, "reasoningTokens");
  return { input: Math.max(0, sent - (cacheRead ?? 0) - (cacheWrite ?? 0)), cacheRead, cacheWrite, output, reasoning };
}
