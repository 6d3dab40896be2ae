import { isObject, type JsonObject, objectOf } from "@/lib/agents/shared/json";
import type { Usage } from "@/lib/core/transcript/model";
import type { KnownUsageFields, RecordNumbers } from "@/lib/core/transcript/record-numbers";

/** Fields that are read, or ignored on purpose: token ids and log probabilities repeat the text, and the program's own cost is computed from prices. */
const KNOWN_FIELDS: KnownUsageFields = new Set([
  "prompt_tokens",
  "cached_tokens",
  "completion_tokens",
  "extra.reasoning_tokens",
  "extra.cache_creation_input_tokens",
  "prompt_token_ids",
  "completion_token_ids",
  "logprobs",
  "cost_usd",
]);

/**
 * Usage of a step. `prompt_tokens` counts the whole input, including the cached part; `extra` holds the tokens written to the cache and the reasoning
 * tokens. `undefined` if no prompt is recorded. Source: RFC v1.4, MetricsSchema.
 */
export function usageOf(metrics: unknown, numbers: RecordNumbers): Usage | undefined {
  if (!isObject(metrics)) return undefined;
  numbers.unknownUsage(metrics, KNOWN_FIELDS);
  const sent = numbers.tokens(metrics.prompt_tokens, "prompt_tokens");
  if (sent === undefined) return undefined;
  const extra: JsonObject = objectOf(metrics.extra);
  const cacheRead = numbers.tokens(metrics.cached_tokens, "cached_tokens");
  const output = numbers.tokens(metrics.completion_tokens, "completion_tokens");
  const reasoning = numbers.tokens(extra.reasoning_tokens, "reasoning_tokens");
  const rest = Math.max(0, sent - (cacheRead ?? 0));
  const written = numbers.tokens(extra.cache_creation_input_tokens, "cache_creation_input_tokens");
  // If it exceeds the rest, the program did not include it in the prompt, and the parts would not add up.
  const cacheWrite = written === undefined || written > rest ? undefined : written;
  return { input: rest - (cacheWrite ?? 0), cacheRead, cacheWrite, output, reasoning };
}
