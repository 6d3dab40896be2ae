import type { Usage } from "@/lib/core/transcript/model";
import { isObject, objectOf } from "../json";
import { countOf } from "./json";

/**
 * Usage as recorded with a message (its last step's): the input without what was cached. Reasoning is part of the output up
 * to 1.2 and stands beside it later; the record's total tells. `undefined` where no input is recorded.
 */
export function usageOf(tokens: unknown): Usage | undefined {
  if (!isObject(tokens)) return undefined;
  const cache = objectOf(tokens.cache);
  const [input, output, reasoning] = [countOf(tokens.input), countOf(tokens.output), countOf(tokens.reasoning)];
  const [read, write, total] = [countOf(cache.read), countOf(cache.write), countOf(tokens.total)];
  if (input === undefined && read === undefined && write === undefined) return undefined;
  const sent = (input ?? 0) + (read ?? 0) + (write ?? 0);
  const beside = (reasoning ?? 0) > 0 && total === sent + (output ?? 0) + (reasoning ?? 0);
  return {
    input: input ?? 0,
    ...(read === undefined ? {} : { cacheRead: read }),
    ...(write === undefined ? {} : { cacheWrite: write }),
    ...(output === undefined ? {} : { output: output + (beside ? (reasoning ?? 0) : 0) }),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}
