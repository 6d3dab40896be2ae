import type { SessionSummary } from "../contract/types";

/** The largest context as a share of the window; `null` if either is unknown, or the window is a lower bound. */
export function peakShare({ peakContext, contextWindow }: SessionSummary): number | null {
  const isKnown = contextWindow.source !== "inferred" && contextWindow.tokens > 0;
  return peakContext === null || !isKnown ? null : peakContext.tokens / contextWindow.tokens;
}
