import type { SessionSummary } from "../contract/types";

/** The largest context as a share of the window; `null` where either is not known, or only a lower bound of the window. */
export function peakShare({ peakContext, contextWindow }: SessionSummary): number | null {
  const isKnown = contextWindow.source !== "inferred" && contextWindow.tokens > 0;
  return peakContext === null || !isKnown ? null : peakContext.tokens / contextWindow.tokens;
}
