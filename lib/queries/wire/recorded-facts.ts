import type { SessionSummary } from "../contract/types";

/**
 * The largest recorded context, from the usage of a request or from the boundary after it: the peak in every list and text. `null` if none is
 * recorded. Source: docs/method.md, "The metrics of a replay".
 */
export function recordedPeak({
  peakContext,
  compactions,
}: Pick<SessionSummary, "peakContext" | "compactions">): number | null {
  if (peakContext === null) return null;
  return compactions.reduce((peak, { tokensBefore }) => Math.max(peak, tokensBefore ?? 0), peakContext.tokens);
}

/** The largest context as a share of the window; `null` if either is unknown, or only a lower bound of the window is known. */
export function peakShare(summary: SessionSummary): number | null {
  const { contextWindow } = summary;
  const peak = recordedPeak(summary);
  const isKnown = contextWindow.source !== "inferred" && contextWindow.tokens > 0;
  return peak === null || !isKnown ? null : peak / contextWindow.tokens;
}

/**
 * Tokens sent with all requests of the main chain, inherited ones included and those without usage estimated: the number of a session's row and page.
 * `null` if no request has usage.
 */
export function allSent({ tokensSent, usage }: Pick<SessionSummary, "tokensSent" | "usage">): number | null {
  if (tokensSent !== undefined) return tokensSent;
  return usage.input === null ? null : usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
}

/** All responses of the main chain, with and without usage. */
export function allRequests({
  requests,
  requestsWithoutUsage = 0,
}: Pick<SessionSummary, "requests" | "requestsWithoutUsage">): number {
  return requests + requestsWithoutUsage;
}
