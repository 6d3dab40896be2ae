import { isObject, objectOf } from "@/lib/agents/shared/json";
import { usageFrom } from "@/lib/agents/shared/usage-from";
import type { Usage } from "@/lib/core/transcript/model";
import type { KnownUsageFields, RecordNumbers } from "@/lib/core/transcript/record-numbers";

/**
 * Fields that are read. Not needed: totals; tokens of texts and tokens that missed the cache, which are the rest; predictions, which are part of the
 * completion; OpenRouter's cost, which the program repeats next to the response.
 */
const KNOWN_FIELDS: KnownUsageFields = new Set([
  "prompt_tokens",
  "prompt_tokens_details.cached_tokens",
  "prompt_tokens_details.cache_creation_tokens",
  "prompt_tokens_details.cache_write_tokens",
  "prompt_tokens_details.text_tokens",
  "prompt_cache_hit_tokens",
  "prompt_cache_miss_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "completion_tokens",
  "completion_tokens_details.reasoning_tokens",
  "completion_tokens_details.text_tokens",
  "completion_tokens_details.accepted_prediction_tokens",
  "completion_tokens_details.rejected_prediction_tokens",
  "input_tokens",
  "input_tokens_details.cached_tokens",
  "output_tokens",
  "output_tokens_details.reasoning_tokens",
  "total_tokens",
  "cost",
  "cost_details",
]);

/**
 * Usage of a response in the format of LiteLLM, OpenRouter or OpenAI's Responses API: the prompt includes cache reads and cache writes. Source:
 * README.md, "Usage".
 * @param cost dollars that the program computed; 0 if it was configured not to compute any
 */
export function usageOf(value: unknown, cost: unknown, numbers: RecordNumbers): Usage | undefined {
  if (!isObject(value)) return undefined;
  numbers.unknownUsage(value, KNOWN_FIELDS);
  const read = (field: string, ...values: readonly unknown[]) =>
    numbers.tokens(
      values.find((one) => one !== undefined && one !== null),
      field,
    );
  const sent = objectOf(value.prompt_tokens_details ?? value.input_tokens_details);
  const made = objectOf(value.completion_tokens_details ?? value.output_tokens_details);
  const usage = usageFrom({
    sent: read("prompt_tokens", value.prompt_tokens, value.input_tokens),
    cacheRead: read("cached_tokens", sent.cached_tokens, value.cache_read_input_tokens, value.prompt_cache_hit_tokens),
    cacheWrite: read(
      "cache_creation_input_tokens",
      value.cache_creation_input_tokens,
      sent.cache_creation_tokens,
      sent.cache_write_tokens,
    ),
    output: read("completion_tokens", value.completion_tokens, value.output_tokens),
    reasoning: read("reasoning_tokens", made.reasoning_tokens),
  });
  const ownCost = cost === 0 ? undefined : numbers.dollars(cost, "cost");
  return usage === undefined || ownCost === undefined ? usage : { ...usage, ownCost };
}
