import type { Tokens } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import { type Pair, pairsOf } from "./chain";
import { costOf, type MicroDollars } from "./money";
import type { PricedRequest, SentTokens } from "./priced-requests";
import { type Cost, costOfTokens, totalOf } from "./recorded-cost";

/** A hypothetical compaction. */
export interface AssumedCompaction {
  /** The context that it leaves. */
  readonly left: Tokens;
  /** Size of its summary. */
  readonly summary: Tokens;
  /** Whether its call begins with what was sent before it: then it reads that from the cache, which is still alive. */
  readonly sharesPrefix: boolean;
}

/** What compacting before every pause would have changed. Amounts are micro-dollars. */
interface BeforeBreaks {
  /** Number of pauses that the cache did not outlive. */
  readonly pauses: number;
  /** Number of these pauses before which the context was larger than what a compaction leaves. */
  readonly compactions: number;
  /** What is saved in the requests right after those pauses, which sent everything anew. */
  readonly behindPauses: MicroDollars;
  /** What is saved in all later requests, up to the next recorded compaction. */
  readonly later: MicroDollars;
  /** What the calls for the summaries would have cost. */
  readonly calls: MicroDollars;
  /** The total: below 0 where it would have cost more than it saved. */
  readonly saved: MicroDollars;
}

/**
 * What it would have saved to compact before every recorded pause that is longer than the cache lives. The recorded trajectory is held fixed. Up to
 * the next recorded change of the history, every later request sends as many tokens less, at the rates for its own size. What a compaction leaves is
 * at the front, and what it removes comes after that. `undefined` where a request has no price. Source: docs/prices.md, "Before a break, five minutes
 * or an hour".
 */
export function beforeBreaks(
  columns: SessionColumns,
  requests: readonly PricedRequest[],
  compaction: AssumedCompaction,
): BeforeBreaks | undefined {
  if (requests.length === 0 || requests.some(({ rates }) => rates === undefined)) return undefined;
  const sums = { pauses: 0, compactions: 0, behindPauses: 0, later: 0, calls: 0 };
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
    if (isPause) sums.behindPauses += saved;
    else sums.later += saved;
  }
  return { ...sums, saved: sums.behindPauses + sums.later - sums.calls };
}

function isPauseOf({ gap, lifetime, isChanged, before, now }: Pair): boolean {
  return gap > lifetime && !isChanged && before.modelId === now.modelId;
}

/** The cost of the call, which sends the whole context while the cache is warm, and writes the summary. */
function callCost({ before }: Pair, sent: Tokens, { summary, sharesPrefix }: AssumedCompaction): MicroDollars {
  const rates = before.ratesOf(sent);
  if (rates === undefined) return 0;
  const input = { tokens: sent, price: sharesPrefix ? rates.read : rates.input };
  return costOf([input, { tokens: summary, price: rates.output }], before.factor);
}

function savedBy(request: PricedRequest, cut: Tokens, left: Tokens): MicroDollars {
  const taken = Math.min(cut, request.sent);
  const [as, without] = [costAt(request, request), costAt(request, withoutTokens(request, taken, left))];
  return as === undefined || without === undefined ? 0 : totalOf(as) - totalOf(without);
}

function costAt(request: PricedRequest, sent: SentTokens): Cost | undefined {
  const rates = request.ratesOf(sent.read + sent.write5m + sent.write1h + sent.plain);
  return rates && costOfTokens(sent, request.output, rates, request.factor);
}

/**
 * The request without `cut` tokens that came after the first `left` tokens of it: they are taken from what was read beyond those, then from what was
 * written, then from what was plain.
 */
function withoutTokens({ read, write5m, write1h, plain }: PricedRequest, cut: Tokens, left: Tokens): SentTokens {
  const fromRead = Math.min(cut, Math.max(0, read - left));
  const fromLong = Math.min(cut - fromRead, write1h);
  const fromShort = Math.min(cut - fromRead - fromLong, write5m);
  const fromPlain = Math.min(cut - fromRead - fromLong - fromShort, plain);
  // What is still missing must have been among the first tokens after all.
  const rest = cut - fromRead - fromLong - fromShort - fromPlain;
  return {
    read: read - fromRead - rest,
    write5m: write5m - fromShort,
    write1h: write1h - fromLong,
    plain: plain - fromPlain,
  };
}
