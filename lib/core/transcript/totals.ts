import type { RequestIndex, Tokens } from "../base/units";
import type { RequestPoint, Transcript, Usage } from "./model";

/** Counts of messages and calls of the main chain. Source: interfaces.md, "How inspect counts", CALLS and fine print. */
export interface MessageTotals {
  /** Messages that a person typed. */
  readonly user: number;
  /** Responses, however many lines they were written on. */
  readonly assistant: number;
  readonly toolCalls: number;
  readonly toolResults: number;
  readonly orphanResults: number;
  readonly unansweredCalls: number;
}

/** Distinct call ids are counted; blocks without an id count each by themselves. */
export function messageTotals(transcript: Transcript): MessageTotals {
  const own = transcript.messages.filter((message) => message.recordedOnly !== true);
  const calls = new IdSet();
  const results = new IdSet();
  for (const message of own) {
    for (const block of message.blocks) {
      if (block.kind === "tool_call") calls.add(block.callId);
      if (block.kind === "tool_result") results.add(block.callId);
    }
  }
  return {
    user: own.filter((message) => message.origin === "typed").length,
    assistant: transcript.requests.length,
    toolCalls: calls.size,
    toolResults: results.size,
    orphanResults: results.without(calls),
    unansweredCalls: calls.without(results),
  };
}

class IdSet {
  readonly #ids = new Set<string>();
  #nameless = 0;

  add(id: string | undefined): void {
    if (id === undefined) this.#nameless += 1;
    else this.#ids.add(id);
  }

  get size(): number {
    return this.#ids.size + this.#nameless;
  }

  without(other: IdSet): number {
    let count = 0;
    for (const id of this.#ids) if (!other.#ids.has(id)) count += 1;
    return count;
  }
}

/** Recorded usage over requests: responses whose input, cached parts included, is above zero. */
export interface UsageTotals {
  readonly requests: number;
  readonly usage: { readonly [Key in keyof Required<Usage>]: Tokens | null };
  readonly peak: { readonly tokens: Tokens; readonly request: RequestIndex } | null;
  readonly last: Tokens | null;
}

/** Everything that a request sent, as recorded; 0 without usage. */
export function contextOf(point: RequestPoint): Tokens {
  const usage = point.usage;
  return usage === undefined ? 0 : usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
}

/** Sums, peak and last context. `null` where no request records the figure. Source: interfaces.md, REQUEST and ABSENT. */
export function usageTotals(transcript: Transcript): UsageTotals {
  const counted = transcript.requests
    .map((point, request) => ({ point, request, tokens: contextOf(point) }))
    .filter(({ tokens }) => tokens > 0);
  const sum = (key: keyof Usage) => {
    const values = counted.map(({ point }) => point.usage?.[key]).filter((value) => value !== undefined);
    return values.length === 0 ? null : values.reduce((total, value) => total + value, 0);
  };
  const peak = counted.reduce<UsageTotals["peak"]>(
    (best, { tokens, request }) => (best === null || tokens > best.tokens ? { tokens, request } : best),
    null,
  );
  return {
    requests: counted.length,
    usage: {
      input: sum("input"),
      output: sum("output"),
      cacheRead: sum("cacheRead"),
      cacheWrite: sum("cacheWrite"),
      reasoning: sum("reasoning"),
    },
    peak,
    last: counted.at(-1)?.tokens ?? null,
  };
}
