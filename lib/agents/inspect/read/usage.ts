import { isObject } from "@/lib/agents/shared/json";
import type { Usage } from "@/lib/core/transcript/model";
import type { KnownUsageFields, RecordNumbers } from "@/lib/core/transcript/record-numbers";

const KNOWN_FIELDS: KnownUsageFields = new Set([
  "input_tokens",
  "input_tokens_cache_read",
  "input_tokens_cache_write",
  "output_tokens",
  "reasoning_tokens",
  "total_tokens",
  "total_cost",
]);

/**
 * Usage of a model call. The input excludes the cached tokens; releases of 2025 included them for some providers; the total is then the sum of input
 * and output alone. Source: src/inspect_ai/model/_model_output.py, `ModelUsage`.
 */
export function usageOf(value: unknown, numbers: RecordNumbers): Usage | undefined {
  if (!isObject(value)) return undefined;
  numbers.unknownUsage(value, KNOWN_FIELDS);
  const read = (field: string) => numbers.tokens(value[field], field);
  const sent = read("input_tokens");
  if (sent === undefined) return undefined;
  const [cacheRead, cacheWrite] = [read("input_tokens_cache_read"), read("input_tokens_cache_write")];
  const [output, reasoning] = [read("output_tokens"), read("reasoning_tokens")];
  const ownCost = numbers.dollars(value.total_cost, "total_cost");
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
  const isWhole = cached <= sent && read("total_tokens") === sent + (output ?? 0);
  return { input: isWhole ? sent - cached : sent, cacheRead, cacheWrite, output, reasoning, ownCost };
}
