import { countedText, countText } from "@/lib/core/base/number-text";
import type { Tokens } from "@/lib/core/base/units";
import type { SessionSummary } from "../contract/types";

type Window = SessionSummary["contextWindow"];

/** The window, and the effective window if it is smaller. */
export function windowSizes({ tokens, whole, effective }: Window): string {
  if (whole !== undefined) return `${countText(whole)}, effective window ${countText(tokens)}`;
  if (effective !== undefined) return `${countText(tokens)}, effective window ${countText(effective)}`;
  return countText(tokens);
}

/** The rule that decided the window, with the file that states it. */
export function windowSourceText({ source, from }: Window): string {
  return from === undefined ? source : `${source}, ${from === "error" ? "a refused prompt" : from}`;
}

/** The sentence about a window that is assumed, or that a recorded context corrects; `undefined` if there is none. */
export function windowRemark({ tokens, source, exceeded, atLeast }: Window): string | undefined {
  if (atLeast !== undefined) {
    return `The window is unknown, at least the ${countText(atLeast)} of the largest recorded context: ${countText(tokens)} tokens are used, as expected without it.`;
  }
  if (source === "assumed")
    return "The file does not say in which of its windows the model ran: the smaller one is assumed.";
  if (exceeded === undefined) return undefined;
  const above = `A recorded context exceeds the ${countText(exceeded)} tokens that were expected`;
  return source === "inferred"
    ? `${above}: the window is at least ${countText(tokens)}, the largest context.`
    : `${above}: the session ran in the model's window of ${countText(tokens)}.`;
}

/** The sentence about a limit that every context exceeds; `undefined` for any other limit. */
export function limitRemark(limit: Tokens | null, window: Tokens): string | undefined {
  if (limit === null || limit > 0) return undefined;
  return `The reserve leaves no room in the window of ${countText(window)}: the limit is ${countText(limit)}, which every context exceeds.`;
}

/** Maximum requests named in a sentence; the others are counted. */
const NAMED_REQUESTS = 10;

/** The sentence about requests that the agent refuses to send; `undefined` if there are none. */
export function refusedRemark(refused: readonly number[]): string | undefined {
  if (refused.length === 0) return undefined;
  const more = refused.length > NAMED_REQUESTS ? ", …" : "";
  const named = refused.slice(0, NAMED_REQUESTS).join(", ");
  return `Refused by the agent and not sent, without a compaction: ${countedText(refused.length, "request")} (${named}${more}).`;
}
