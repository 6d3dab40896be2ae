import type { RequestIndex, Tokens } from "../base/units";
import type { SimulatedCompaction } from "./simulation/simulated-compaction";

export interface ReplayTotals {
  readonly requests: number;
  /** The largest context, sent or about to be compacted: `reachedContexts`. */
  readonly peak: Tokens;
  readonly final: Tokens;
  /** Sum of the context over all request points, without the summary calls. */
  readonly tokensSent: Tokens;
  readonly summaryCallTokens: Tokens;
  /** Sum of `Replay.uncached` over the requests. */
  readonly tokensRewritten: Tokens;
  readonly requestsOverWindow: number;
}

interface Reached {
  readonly context: Int32Array;
  readonly estimated: Uint8Array;
  /** Number of leading points whose context is the recorded one. */
  readonly followed: number;
  readonly compactions: Iterable<Pick<SimulatedCompaction, "request" | "tokensBefore">>;
}

interface TotalsInput extends Reached {
  /** By request, as in `Replay`. */
  readonly uncached: Int32Array;
  readonly summaryCallTokens: Tokens;
  readonly window: Tokens;
}

/**
 * Totals over a series of contexts.
 * @param from the first request that counts
 */
export function totalsOf(input: TotalsInput, from: RequestIndex = 0): ReplayTotals {
  const { context, uncached, summaryCallTokens, window } = input;
  const reached = reachedContexts(input, from);
  let sent = 0;
  let tokensRewritten = 0;
  for (let request = from; request < context.length; request++) {
    sent += context[request] ?? 0;
    tokensRewritten += uncached[request] ?? 0;
  }
  return {
    requests: Math.max(0, context.length - from),
    peak: reached.reduce((peak, tokens) => Math.max(peak, tokens), 0),
    final: context.at(-1) ?? 0,
    tokensSent: sent,
    summaryCallTokens,
    tokensRewritten,
    requestsOverWindow: countAbove(reached, window),
  };
}

/**
 * The largest context that each request point reached: as sent, or before the compaction that precedes it. The last entry is for a compaction after
 * the last request. The estimate of a recorded request without usage is left out if other requests have usage. Source: docs/method.md, "The metrics
 * of a replay".
 */
export function reachedContexts(
  { context, estimated, followed, compactions }: Reached,
  from: RequestIndex = 0,
): Float64Array {
  const reached = new Float64Array(context.length + 1);
  const hasUsage = estimated.subarray(0, followed).includes(0);
  for (let request = from; request < context.length; request++) {
    const isUnmeasured = hasUsage && request < followed && estimated[request] === 1;
    if (!isUnmeasured) reached[request] = context[request] ?? 0;
  }
  for (const { request, tokensBefore } of compactions) {
    if (request >= from) reached[request] = Math.max(reached[request] ?? 0, tokensBefore);
  }
  return reached;
}

/** Number of contexts above a limit. */
export function countAbove(contexts: Float64Array, limit: Tokens): number {
  let above = 0;
  for (const tokens of contexts) if (tokens > limit) above += 1;
  return above;
}

/** The largest context of a chart: the peak, or the estimate of a request that the peak leaves out. */
export function highestContext({
  context,
  totals,
}: {
  readonly context: Int32Array;
  readonly totals: Pick<ReplayTotals, "peak">;
}): Tokens {
  return context.reduce((highest, tokens) => Math.max(highest, tokens), totals.peak);
}
