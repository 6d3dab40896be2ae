/** Why a policy has no boundary in a session. */
export interface NoBoundary {
  /**
   * `never`: the policy compacts nothing. `below`: the context stays below the size at which it fires. `counted`: the whole
   * context reaches that size, but the policy counts less of it or checks at other times. `unknown`: the policy has no size at
   * which it fires.
   */
  readonly reason: "never" | "below" | "counted" | "unknown";
  /** Largest context, in tokens, and the first request that sends it. */
  readonly peak: number;
  readonly request: number;
  /** Tokens between the peak and the size at which the policy fires; absent where it has no such size. */
  readonly distance?: number;
}

/**
 * How near a simulated context came to a compaction.
 * @param context tokens of every request
 * @param threshold size at which the policy fires
 * @param never whether the policy never fires
 */
export function noBoundary(context: ArrayLike<number>, threshold: number | undefined, never: boolean): NoBoundary {
  let request = 0;
  for (let at = 1; at < context.length; at++) if ((context[at] ?? 0) > (context[request] ?? 0)) request = at;
  const peak = context[request] ?? 0;
  if (never) return { reason: "never", peak, request };
  if (threshold === undefined) return { reason: "unknown", peak, request };
  const distance = threshold - peak;
  return { reason: distance > 0 ? "below" : "counted", peak, request, distance: Math.abs(distance) };
}
