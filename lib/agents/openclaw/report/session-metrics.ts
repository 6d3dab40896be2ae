import type { RequestIndex, Tokens } from "@/lib/core/base/units";
import { boundariesOf, recordedContext, type SessionColumns, TRIGGER } from "@/lib/core/columns/columns";

/** Metrics in the session's entry after a request. Source: README.md, "Session store". */
export interface SessionMetrics {
  /** Absent before the first usage, and after a manual compaction has cleared them. */
  readonly inputTokens?: Tokens;
  readonly outputTokens?: Tokens;
  /** Tokens last sent, without output; after a manual compaction, the kept tokens. */
  readonly totalTokens?: Tokens;
  /** The window; absent if only a lower bound of it is known. */
  readonly contextTokens?: Tokens | undefined;
  readonly compactionCount: number;
}

/**
 * The metrics from the recording: the last usage by then, and the compactions so far. A manual compaction sets its own size as the total, and clears
 * input and output until the next run; an automatic one leaves them.
 */
export function sessionMetrics(
  columns: SessionColumns,
  request: RequestIndex,
  window: Tokens | undefined,
): SessionMetrics {
  const { boundaries, requests } = columns;
  const compactions = boundariesOf(columns, "compaction").filter((row) => (boundaries.request[row] ?? 0) <= request);
  const counted = { contextTokens: window, compactionCount: compactions.length };
  let used = Math.min(request, requests.length - 1);
  while (used >= 0 && recordedContext(columns, used) < 0) used -= 1;
  const cleared = compactions.findLast(
    (row) =>
      boundaries.trigger[row] === TRIGGER.manual &&
      (boundaries.request[row] ?? 0) > used &&
      (boundaries.tokensAfter[row] ?? -1) > 0,
  );
  if (cleared !== undefined) return { ...counted, totalTokens: boundaries.tokensAfter[cleared] ?? 0 };
  if (used < 0) return counted;
  return {
    ...counted,
    inputTokens: Math.max(0, requests.input[used] ?? 0),
    outputTokens: Math.max(0, requests.output[used] ?? 0),
    totalTokens: recordedContext(columns, used),
  };
}
