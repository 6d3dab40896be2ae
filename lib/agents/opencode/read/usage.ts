import { isObject, type JsonObject, objectOf } from "@/lib/agents/shared/json";
import type { Figures, KnownUsageFields } from "@/lib/core/transcript/figures";
import type { Usage } from "@/lib/core/transcript/model";

const KNOWN_FIELDS: KnownUsageFields = new Set(["input", "output", "reasoning", "cache.read", "cache.write", "total"]);

/**
 * Usage as recorded with an answer (of its last step): the input without the cached part. Reasoning is part of the output up to 1.2 and separate
 * from it later; the record's total tells which. `undefined` where no input is recorded.
 */
export function usageOf({ tokens, cost }: JsonObject, figures: Figures): Usage | undefined {
  if (!isObject(tokens)) return undefined;
  figures.unknownUsage(tokens, KNOWN_FIELDS);
  const cache = objectOf(tokens.cache);
  const input = figures.tokens(tokens.input, "input");
  const output = figures.tokens(tokens.output, "output");
  const reasoning = figures.tokens(tokens.reasoning, "reasoning");
  const read = figures.tokens(cache.read, "cache.read");
  const write = figures.tokens(cache.write, "cache.write");
  const total = figures.sum(tokens.total, "total");
  const ownCost = figures.dollars(cost, "cost");
  if (input === undefined && read === undefined && write === undefined) return undefined;
  const sent = (input ?? 0) + (read ?? 0) + (write ?? 0);
  const beside = (reasoning ?? 0) > 0 && total === sent + (output ?? 0) + (reasoning ?? 0);
  return {
    input: input ?? 0,
    ...(read === undefined ? {} : { cacheRead: read }),
    ...(write === undefined ? {} : { cacheWrite: write }),
    ...(output === undefined ? {} : { output: output + (beside ? (reasoning ?? 0) : 0) }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(ownCost === undefined ? {} : { ownCost }),
  };
}
