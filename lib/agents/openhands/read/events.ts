import type { DraftBlock, DraftOverhead } from "@/lib/core/transcript/draft";

/** An event as far as the model reads it. Both generations of the format become this. */
export interface OpenHandsEvent {
  /** Name under which the record is counted. */
  readonly name: string;
  /** `none`: not sent. `unknown`: no known event. */
  readonly kind: "system" | "typed" | "context" | "response" | "result" | "condensation" | "none" | "unknown";
  readonly blocks: readonly DraftBlock[];
  readonly overhead?: readonly DraftOverhead[];
  /** Id of the provider's response, equal in all events of one response. */
  readonly response?: string | undefined;
  readonly model?: string | undefined;
  /** Usage of that response, as the provider reported it. */
  readonly usage?: unknown;
}

/** An event that is not sent. */
export function unsent(name: string): OpenHandsEvent {
  return { name, kind: "none", blocks: [] };
}
