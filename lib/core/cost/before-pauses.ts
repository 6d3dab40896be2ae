import type { Tokens } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import { type Pair, pairsOf } from "./chain";
import { costOf, type MicroDollars } from "./money";
import type { PricedRequest, SentTokens } from "./priced-requests";
import { type Cost, costOfTokens, totalOf } from "./recorded-cost";

/** A hypothetical compaction. */
export interface AssumedCompaction {
  /** Context that it leaves. */
  readonly left: Tokens;
  readonly summary: Tokens;
  /** True if its call begins with the previously sent context: the call then reads that from the cache, which is still warm. */
  readonly sharesPrefix: boolean;
}

/** Effect of compacting before every pause. Amounts are micro-dollars. */
interface CompactedBeforePauses {
  /** Number of pauses longer than the cache TTL. */
  readonly pauses: number;
  /** Number of these pauses before which the context was larger than a compaction leaves it. */
  readonly compactions: number;
  /** Savings in the requests right after those pauses, which sent their whole context uncached. */
  readonly afterPauses: MicroDollars;
  /** Savings in all later requests, up to the next recorded compaction. */
  readonly later: MicroDollars;
  /** Cost of the summary calls. */
  readonly calls: MicroDollars;
  /** Total: below 0 if the calls cost more than was saved. */
  readonly saved: MicroDollars;
}

/**
 * Savings of compacting before every recorded pause longer than the cache TTL. The recorded trajectory is fixed. Up to the next recorded change of
 * the history, every later request sends the same number of tokens less, at the rates for its own size. The tokens that a compaction leaves come
 * first, and the removed ones after them. `undefined` if a request has no price. Source: docs/prices.md, "Before a miss, five minutes or an hour".
 */
export function compactedBeforePauses(
  columns: SessionColumns,
  requests: readonly PricedRequest[],
  compaction: AssumedCompaction,
): CompactedBeforePauses | undefined {
  if (requests.length === 0 || requests.some(({ rates }) => rates === undefined)) return undefined;
  const sums = { pauses: 0, compactions: 0, afterPauses: 0, later: 0, calls: 0 };
  /** Number of tokens that every request no longer sends. */
  let cut = 0;
  for (const pair of pairsOf(columns, requests)) {
    if (pair.isChanged) cut = 0;
    const isPause = isPauseOf(pair);
    if (isPause) {
      const sent = pair.before.sent - cut;
      sums.pauses += 1;
      if (sent > compaction.left) {
        sums.compactions += 1;
        sums.calls += callCost(pair, sent, compaction);
        cut = pair.before.sent - compaction.left;
      }
    }
    if (cut === 0) continue;
    const saved = savedBy(pair.now, cut, compaction.left);
    if (isPause) sums.afterPauses += saved;
    else sums.later += saved;
  }
  return { ...sums, saved: sums.afterPauses + sums.later - sums.calls };
}

function isPauseOf({ gap, ttl, isChanged, before, now }: Pair): boolean {
  return gap > ttl && !isChanged && before.modelId === now.modelId;
}

/** Cost of the call, which sends the whole context while the cache is warm, and writes the summary. */
function callCost({ before }: Pair, sent: Tokens, { summary, sharesPrefix }: AssumedCompaction): MicroDollars {
  const rates = before.ratesOf(sent);
  if (rates === undefined) return 0;
  const input = { tokens: sent, price: sharesPrefix ? rates.read : rates.input };
  return costOf([input, { tokens: summary, price: rates.output }], before.factor);
}

function savedBy(request: PricedRequest, cut: Tokens, left: Tokens): MicroDollars {
  const taken = Math.min(cut, request.sent);
  const [recorded, reduced] = [costAt(request, request), costAt(request, withoutTokens(request, taken, left))];
  return recorded === undefined || reduced === undefined ? 0 : totalOf(recorded) - totalOf(reduced);
}

function costAt(request: PricedRequest, sent: SentTokens): Cost | undefined {
  const rates = request.ratesOf(sent.read + sent.write5m + sent.write1h + sent.plain);
  return rates && costOfTokens(sent, request.output, rates, request.factor);
}

/**
 * Removes `cut` tokens after the first `left` tokens of a request: first from its reads beyond `left`, then from its writes, then from its plain
 * tokens.
 */
function withoutTokens({ read, write5m, write1h, plain }: PricedRequest, cut: Tokens, left: Tokens): SentTokens {
  const fromRead = Math.min(cut, Math.max(0, read - left));
  const fromLong = Math.min(cut - fromRead, write1h);
  const fromShort = Math.min(cut - fromRead - fromLong, write5m);
  const fromPlain = Math.min(cut - fromRead - fromLong - fromShort, plain);
  // The remaining `cut` tokens must then be among the first `left` tokens.
  const rest = cut - fromRead - fromLong - fromShort - fromPlain;
  return {
    read: read - fromRead - rest,
    write5m: write5m - fromShort,
    write1h: write1h - fromLong,
    plain: plain - fromPlain,
  };
}
