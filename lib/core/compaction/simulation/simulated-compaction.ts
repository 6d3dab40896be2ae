import type { ItemIndex, Milliseconds, RequestIndex, Tokens } from "../../base/units";
import type { PolicyMetrics, Retention, SimulatedTrigger } from "../policy/policy";

/**
 * One simulated compaction, before `request`; after the last request, that is the number of requests. Sizes include the overhead, and content
 * that entered after a compaction during a pause. Without `addedAt`, the added items come first.
 */
export interface SimulatedCompaction
  extends Pick<Retention, "outcome" | "summaryTokens" | "summaryCallTokens" | "truncated" | "cleared" | "added">,
    Partial<Pick<Retention, "addedAt" | "entering" | "transient">> {
  readonly request: RequestIndex;
  /** `unknown`: for a recorded compaction whose record states no trigger. A policy always has a trigger. */
  readonly trigger: SimulatedTrigger | "unknown";
  /** Time of a compaction during the pause before the request; absent for one right before it. */
  readonly at?: Milliseconds | undefined;
  readonly tokensBefore: Tokens;
  readonly tokensAfter: Tokens;
  /**
   * Context before it by the count that gives `tokensAfter`; absent if `tokensBefore` already is that. The two differ only if a replay departs from
   * the recorded usage: without this size, a small clearing would look like growth of the context.
   */
  readonly tokensBeforeCounted?: Tokens | undefined;
  /** Tokens of the context after it that this request sends uncached, including other changes before the request: `Replay.uncached`. */
  readonly uncached: Tokens;
  readonly keptItems: number;
  /** Kept items: recorded ones in file order, then items that earlier compactions added. Looked up on demand. */
  readonly kept: readonly ItemIndex[];
  readonly droppedItems: number;
  /** Other numbers that the policy reports. */
  readonly figures?: PolicyMetrics | undefined;
  readonly limits?: Retention["limits"] | undefined;
  readonly unsent?: Retention["unsent"] | undefined;
  /** True if it came fewer than three requests after the one before, or left more than 80 % of the threshold; always false without a summary call. */
  readonly thrash: boolean;
  /** True if it made the context smaller. */
  readonly shrunk: boolean;
}

/** True if the agent refused to send the request without a summary call: an entry of the list, but not a compaction. */
export function isRefusal({ outcome, summaryCallTokens }: Pick<SimulatedCompaction, "outcome" | "summaryCallTokens">) {
  return outcome === "blocked" && summaryCallTokens === 0;
}

/** Entries that are compactions, without the refusals. */
export function withoutRefusals(compactions: readonly SimulatedCompaction[]): readonly SimulatedCompaction[] {
  return compactions.filter((one) => !isRefusal(one));
}

/** True if a replay thrashes: at least one of its compactions came too soon or left too much. Such a setting is not proposed. */
export function thrashes(compactions: readonly Pick<SimulatedCompaction, "thrash">[]): boolean {
  return compactions.some(({ thrash }) => thrash);
}

/** Context before a compaction by the same count as its `tokensAfter`, so that the two can be compared. */
export function comparableBefore({
  tokensBefore,
  tokensBeforeCounted,
}: Pick<SimulatedCompaction, "tokensBefore" | "tokensBeforeCounted">): Tokens {
  return tokensBeforeCounted ?? tokensBefore;
}
