import type { Tokens } from "../base/units";

export interface ReplayTotals {
  readonly requests: number;
  readonly peak: Tokens;
  readonly final: Tokens;
  /** Sum of the context over all request points, without the calls for summaries. */
  readonly tokensSent: Tokens;
  readonly summaryCallTokens: Tokens;
  /** Sum of `Replay.rewritten` over the requests. */
  readonly tokensRewritten: Tokens;
  readonly requestsOverWindow: number;
}

/** Totals over a series of contexts. @param rewritten by request, as in `Replay` */
export function totalsOf(
  context: Int32Array,
  rewritten: Int32Array,
  summaryCallTokens: Tokens,
  window: Tokens,
): ReplayTotals {
  let peak = 0;
  let sent = 0;
  let over = 0;
  let tokensRewritten = 0;
  for (let request = 0; request < context.length; request++) {
    const tokens = context[request] ?? 0;
    if (tokens > peak) peak = tokens;
    if (tokens > window) over += 1;
    sent += tokens;
    tokensRewritten += rewritten[request] ?? 0;
  }
  return {
    requests: context.length,
    peak,
    final: context.at(-1) ?? 0,
    tokensSent: sent,
    summaryCallTokens,
    tokensRewritten,
    requestsOverWindow: over,
  };
}
