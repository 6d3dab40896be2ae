import type { Tokens } from "../base/units";
import type { Outcome } from "../compaction/policy";
import type { Replay } from "../compaction/replay";
import type { SimulatedCompaction } from "../compaction/simulated-compaction";

/** What a replay comes to, in figures that can be set beside those of another one. */
export interface ReplayFigures {
  readonly compactions: number;
  readonly peak: Tokens;
  /** Sum of the context over all request points; summarising calls apart. */
  readonly tokensSent: Tokens;
  /** Sum over the requests of what the change of their context made a cache worthless for: `Replay.rewritten`. */
  readonly tokensRewritten: Tokens;
  /** `null` for a recording: what was sent for its summaries is not recorded. */
  readonly summaryCallTokens: Tokens | null;
  readonly requestsOverWindow: number;
  /** Requests whose context was above 80 % of the window. */
  readonly requestsNearWindow: number;
  /** Fewest requests from one compaction (or the start) to the next; `null` where nothing was compacted. */
  readonly shortestCycle: number | null;
  /**
   * Context that a compaction left, without what it added (summary, re-attached files): the mean over the compactions.
   * Those that changed nothing do not count; where none did, the whole context of the last request was kept.
   */
  readonly keptTokens: Tokens;
}

/** A context above this share of the window counts as near it. Source: ui.md, mockup of the comparison, "Above 80 %". */
const NEAR_WINDOW = 0.8;

const UNCHANGED: ReadonlySet<Outcome> = new Set(["failed", "blocked", "skipped"]);

/** The figures of the recording itself. @param window the session's */
export function recordedFigures(
  recording: Pick<Replay, "context" | "compactions" | "totals">,
  window: Tokens,
): ReplayFigures {
  return { ...figuresOf(recording, window), summaryCallTokens: null };
}

/** The figures of a simulated replay. @param window that of the policy */
export function figuresOf(replay: Pick<Replay, "context" | "compactions" | "totals">, window: Tokens): ReplayFigures {
  const { peak, final, tokensSent, tokensRewritten, summaryCallTokens, requestsOverWindow } = replay.totals;
  let near = 0;
  for (const tokens of replay.context) if (tokens > window * NEAR_WINDOW) near += 1;
  return {
    compactions: replay.compactions.length,
    peak,
    tokensSent,
    tokensRewritten,
    summaryCallTokens,
    requestsOverWindow,
    requestsNearWindow: near,
    shortestCycle: shortestCycle(replay.compactions),
    keptTokens: keptTokens(replay.compactions) ?? final,
  };
}

function shortestCycle(compactions: readonly SimulatedCompaction[]): number | null {
  let shortest: number | null = null;
  let last = 0;
  for (const { request } of compactions) {
    shortest = Math.min(shortest ?? Number.POSITIVE_INFINITY, request - last);
    last = request;
  }
  return shortest;
}

function keptTokens(compactions: readonly SimulatedCompaction[]): Tokens | undefined {
  let sum = 0;
  let count = 0;
  for (const { outcome, tokensAfter, summaryTokens, added } of compactions) {
    if (UNCHANGED.has(outcome)) continue;
    // A recorded compaction lists nothing as added; its summary is known by its size alone.
    const addedTokens = added.reduce((total, item) => total + item.tokens, 0);
    sum += Math.max(0, tokensAfter - Math.max(addedTokens, summaryTokens));
    count += 1;
  }
  return count === 0 ? undefined : Math.round(sum / count);
}
