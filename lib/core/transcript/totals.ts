import type { RequestIndex, Tokens } from "../base/units";
import { BLOCK } from "./block-list";
import type { RequestPoint, Transcript } from "./model";

/** Counts of messages and calls of the main chain. Source: docs/interfaces.md, "How inspect counts". */
interface MessageTotals {
  /** Messages that a person typed. */
  readonly user: number;
  /** Responses; one response may take several lines. */
  readonly assistant: number;
  readonly toolCalls: number;
  readonly toolResults: number;
  readonly orphanResults: number;
  readonly unansweredCalls: number;
}

/** Counts messages and calls. A call id counts once; blocks without an id count individually. */
export function messageTotals({ list, requests }: Transcript): MessageTotals {
  const calls = new IdSet(list.blocks.callIds.length);
  const results = new IdSet(list.blocks.callIds.length);
  let user = 0;
  for (let message = 0; message < list.length; message++) {
    if (list.recordedOnly(message)) continue;
    if (list.origin(message) === "typed") user += 1;
    const end = list.firstBlock(message + 1);
    for (let row = list.firstBlock(message); row < end; row++) {
      if (list.blocks.kind[row] === BLOCK.tool_call) calls.add(list.blocks.callId[row]);
      else if (list.blocks.kind[row] === BLOCK.tool_result) results.add(list.blocks.callId[row]);
    }
  }
  return {
    user,
    assistant: requests.length,
    toolCalls: calls.size,
    toolResults: results.size,
    orphanResults: results.without(calls),
    unansweredCalls: calls.without(results),
  };
}

/** Set of call-id indices; every −1 (no id) counts as a different one. */
class IdSet {
  readonly #held: Uint8Array;
  size = 0;

  constructor(ids: number) {
    this.#held = new Uint8Array(ids);
  }

  add(id: number | undefined): void {
    if (id !== undefined && id >= 0) {
      if (this.#held[id] === 1) return;
      this.#held[id] = 1;
    }
    this.size += 1;
  }

  without(other: IdSet): number {
    return this.#held.reduce((count, held, id) => count + (held === 1 && other.#held[id] !== 1 ? 1 : 0), 0);
  }
}

/** Usage fields that are summed over a session. */
type SummedUsage = "input" | "cacheRead" | "cacheWrite" | "output" | "reasoning";

/** Recorded usage over the requests whose context, including cached parts, is above zero. */
interface UsageTotals {
  readonly requests: number;
  readonly usage: { readonly [Key in SummedUsage]: Tokens | null };
  readonly peak: { readonly tokens: Tokens; readonly request: RequestIndex } | null;
  readonly last: Tokens | null;
}

/** All tokens that a request sent, as recorded; 0 without usage. */
export function contextOf(point: RequestPoint): Tokens {
  const usage = point.usage;
  return usage === undefined ? 0 : usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
}

/**
 * Usage sums with extra passes, and the peak and last context without them. A field is `null` if no request records it. Source: docs/interfaces.md,
 * "How inspect counts".
 */
export function usageTotals(transcript: Transcript): UsageTotals {
  const counted = transcript.requests
    .map((point, request) => ({ point, request, tokens: contextOf(point) }))
    .filter(({ tokens }) => tokens > 0);
  const passes = transcript.extraRequests.filter(({ kind }) => kind === "pass");
  const sum = (key: SummedUsage) => {
    const all = [...counted.map(({ point }) => point), ...passes];
    const values = all.map(({ usage }) => usage?.[key]).filter((value) => value !== undefined);
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
