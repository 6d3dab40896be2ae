import { countText } from "@/lib/core/base/count-text";
import type { SessionSummary } from "./types";

type Window = SessionSummary["contextWindow"];

/** The window, and the effective window where that is not all of it. */
export function windowSizes({ tokens, whole, effective }: Window): string {
  if (whole !== undefined) return `${countText(whole)}, effective window ${countText(tokens)}`;
  if (effective !== undefined) return `${countText(tokens)}, effective window ${countText(effective)}`;
  return countText(tokens);
}

/** The sentence about a window that is assumed, or that a recorded context corrects; `undefined` where there is nothing to say. */
export function windowRemark({ tokens, source, exceeded }: Window): string | undefined {
  if (source === "assumed")
    return "The file does not say in which of its windows the model ran: the smaller one is assumed.";
  if (exceeded === undefined) return undefined;
  const above = `A recorded context exceeds the ${countText(exceeded)} tokens that were expected`;
  return source === "inferred"
    ? `${above}: the window is at least ${countText(tokens)}, the largest context.`
    : `${above}: the session ran in the model's window of ${countText(tokens)}.`;
}
