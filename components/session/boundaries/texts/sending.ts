import type { SummaryEvent, SummaryFailure } from "@/lib/api/types";

/** What is going on at the endpoint. */
export interface Sending {
  /** How many summaries were asked for, and which of them comes now, from 0. */
  readonly samples: number;
  readonly sample: number;
  /** What has come of it. */
  readonly text: string;
  readonly isOver: boolean;
  /** What went wrong at the endpoint. */
  readonly failure?: { readonly host: string; readonly failure: SummaryFailure } | undefined;
  /** What went wrong on the way to our own server. */
  readonly error?: unknown;
}

export const STARTED: Sending = { samples: 1, sample: 0, text: "", isOver: false };

/** The state after an event. What came of an answer that then failed stays to be read. */
export function afterEvent(before: Sending, event: SummaryEvent): Sending {
  switch (event.type) {
    case "text": {
      const isSame = event.sample === before.sample;
      return { ...before, sample: event.sample, text: isSame ? before.text + event.text : event.text };
    }
    case "made":
      return { ...before, sample: event.sample + 1, text: "" };
    case "failed":
      return { ...before, isOver: true, failure: { host: event.host, failure: event.failure } };
    case "end":
      return { ...before, isOver: true };
  }
}

/** The smallest and the largest of some summaries; absent where there is only one size. */
export function spreadOf(made: readonly { readonly tokens: number }[]): readonly [number, number] | undefined {
  const sizes = made.map(({ tokens }) => tokens);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  return least < most ? [least, most] : undefined;
}
