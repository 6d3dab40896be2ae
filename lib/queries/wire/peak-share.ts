import type { SessionSummary } from "../contract/types";

/** The largest context as a share of the window; `null` where either is not known. */
export function peakShare({ peakContext, contextWindow }: SessionSummary): number | null {
  return peakContext === null || contextWindow.tokens <= 0 ? null : peakContext.tokens / contextWindow.tokens;
}
