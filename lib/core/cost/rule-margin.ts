import type { Share } from "../base/units";
import type { CacheModel } from "./cache-model";
import type { Pair } from "./chain";
import { CostSum, cacheWrites } from "./cost-sum";
import type { MicroDollars } from "./money";
import { costOfRequest, inputOf } from "./recorded-cost";

/** Error of a cache model over a recording. */
export interface RuleMargin {
  /** Relative error of the recording's input cost under the model; `undefined` if it has no price, or the model gives no cost. */
  readonly error: Share | undefined;
  /** Factors from the model's input cost down and up to the recorded one: `least` is at most 1, `most` at least 1. */
  readonly least: number;
  readonly most: number;
}

const NO_MARGIN: RuleMargin = { error: undefined, least: 1, most: 1 };

/**
 * Compares a simulation of the recorded contexts themselves with their cost. After a recorded change of the history, the reads are assumed to be the
 * common beginning of the contexts, since the file states no more. Whatever makes the recording cost more or less than the model says is assumed to
 * do so under another policy too. Source: docs/prices.md, "Cost of a simulation".
 */
export function ruleMargin(pairs: readonly Pair[], cache: CacheModel): RuleMargin {
  const sum = new CostSum(cache);
  let recorded: MicroDollars = 0;
  let before = 0;
  for (let index = 0; index < cache.requests.length; index++) {
    const request = cache.requests[index];
    const own = request && costOfRequest(request);
    if (request?.rates === undefined || own === undefined) return NO_MARGIN;
    const { sent, output, rates } = request;
    recorded += inputOf(own);
    const reads = cache.reads(index, sent, pairs[index - 1]?.isChanged ? request.read : before, before);
    sum.add(index, rates, { sent, output, reads, writes: cacheWrites(request, rates) });
    before = sent;
  }
  const { input, low, high } = sum.input;
  if (recorded === 0) return NO_MARGIN;
  if (input === undefined || input === 0) {
    return { error: undefined, least: Math.min(1, ratio(recorded, low)), most: Math.max(1, ratio(recorded, high)) };
  }
  const off = recorded / input;
  return { error: input / recorded - 1, least: Math.min(1, off), most: Math.max(1, off) };
}

function ratio(recorded: MicroDollars, by: MicroDollars): number {
  return by === 0 ? 1 : recorded / by;
}
