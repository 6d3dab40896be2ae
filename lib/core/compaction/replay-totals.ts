import type { RequestIndex, Tokens } from "../base/units";

export interface ReplayTotals {
  readonly requests: number;
  readonly peak: Tokens;
  readonly final: Tokens;
  /** Sum of the context over all request points, without the summary calls. */
  readonly tokensSent: Tokens;
  readonly summaryCallTokens: Tokens;
  /** Sum of `Replay.rewritten` over the requests. */
  readonly tokensRewritten: Tokens;
  readonly requestsOverWindow: number;
}

/** Input of the totals. */
interface TotalsInput {
  readonly context: Int32Array;
  /** By request, as in `Replay`. */
  readonly rewritten: Int32Array;
  readonly summaryCallTokens: Tokens;
  readonly window: Tokens;
}

/**
 * Totals over a series of contexts.
 * @param from the first request that counts
 */
export function totalsOf(
  { context, rewritten, summaryCallTokens, window }: TotalsInput,
  from: RequestIndex = 0,
): ReplayTotals {
  let peak = 0;
  let sent = 0;
  let over = 0;
  let tokensRewritten = 0;
  for (let request = from; request < context.length; request++) {
    const tokens = context[request] ?? 0;
    if (tokens > peak) peak = tokens;
    if (tokens > window) over += 1;
    sent += tokens;
    tokensRewritten += rewritten[request] ?? 0;
  }
  return {
    requests: Math.max(0, context.length - from),
    peak,
    final: context.at(-1) ?? 0,
    tokensSent: sent,
    summaryCallTokens,
    tokensRewritten,
    requestsOverWindow: over,
  };
}
