import type { SessionSummary } from "../contract/types";

/**
 * The largest context that is recorded, by the usage of a request or by the boundary that ended it: the peak of every list and text. `null` where none
 * is. Source: docs/method.md, "The metrics of a replay".
 */
export function recordedPeak({
  peakContext,
  compactions,
}: Pick<SessionSummary, "peakContext" | "compactions">): number | null {
  if (peakContext === null) return null;
  return compactions.reduce((peak, { tokensBefore }) => Math.max(peak, tokensBefore ?? 0), peakContext.tokens);
}

/** The largest context as a share of the window; `null` where either is not known, or only a lower bound of the window. */
export function peakShare(summary: SessionSummary): number | null {
  const { contextWindow } = summary;
  const peak = recordedPeak(summary);
  const isKnown = contextWindow.source !== "inferred" && contextWindow.tokens > 0;
  return peak === null || !isKnown ? null : peak / contextWindow.tokens;
}

/** All responses of the main chain, with and without usage. */
export function allRequests({
  requests,
  requestsWithoutUsage = 0,
}: Pick<SessionSummary, "requests" | "requestsWithoutUsage">): number {
  return requests + requestsWithoutUsage;
}
