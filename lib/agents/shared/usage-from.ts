import type { Tokens } from "@/lib/core/base/units";
import type { Usage } from "@/lib/core/transcript/model";

/**
 * Usage from a provider's numbers, with the cached part subtracted from the input if the provider includes it. `undefined` if no input is recorded.
 */
export function usageFrom(metrics: {
  readonly sent: Tokens | undefined;
  readonly cacheRead?: Tokens | undefined;
  readonly cacheWrite?: Tokens | undefined;
  readonly cacheWrite1h?: Tokens | undefined;
  readonly output: Tokens | undefined;
  readonly reasoning?: Tokens | undefined;
}): Usage | undefined {
  const { sent, cacheRead, cacheWrite, cacheWrite1h, output, reasoning } = metrics;
  if (sent === undefined) return undefined;
  return {
    input: Math.max(0, sent - (cacheRead ?? 0) - (cacheWrite ?? 0)),
    cacheRead,
    cacheWrite,
    cacheWrite1h,
    output,
    reasoning,
  };
}
