import type { ItemIndex, RequestIndex, Tokens } from "../../base/units";
import type { Figures, Retention, SimulatedTrigger } from "../policy/policy";

/** One simulated compaction, which happened before `request`. Sizes include the overhead. Without `addedAt`, what is added stands in front. */
export interface SimulatedCompaction
  extends Pick<Retention, "outcome" | "summaryTokens" | "summaryCallTokens" | "truncated" | "cleared" | "added">,
    Partial<Pick<Retention, "addedAt" | "entering" | "transient">> {
  readonly request: RequestIndex;
  /** `unknown`: for a recorded compaction whose record does not say. No policy fires so. */
  readonly trigger: SimulatedTrigger | "unknown";
  readonly tokensBefore: Tokens;
  readonly tokensAfter: Tokens;
  /**
   * The context before it by the count that gives `tokensAfter`; absent where `tokensBefore` already is that. The two differ only where a replay
   * departs from the recorded usage: without this size, a small clearing would look as if the context had grown.
   */
  readonly tokensBeforeCounted?: Tokens | undefined;
  /** Tokens that this request rewrites of the context after it, whatever else changed before the request: `Replay.rewritten`. */
  readonly rewritten: Tokens;
  readonly keptItems: number;
  /** The kept items: recorded ones in file order, then what earlier compactions had added. Looked up when asked for. */
  readonly kept: readonly ItemIndex[];
  readonly droppedItems: number;
  /** Other numbers that the policy reports. */
  readonly figures?: Figures | undefined;
  readonly limits?: Retention["limits"] | undefined;
  readonly unsent?: Retention["unsent"] | undefined;
  /**
   * Whether it came fewer than three requests after the one before, or left more than 80 % of the threshold; always false for what asks for no
   * summary.
   */
  readonly thrash: boolean;
  /** Whether it made the context smaller. */
  readonly shrunk: boolean;
}

/** Tells if the agent refused to send the request without calling for a summary: an entry of the list, but no compaction. */
export function isRefusal({ outcome, summaryCallTokens }: Pick<SimulatedCompaction, "outcome" | "summaryCallTokens">) {
  return outcome === "blocked" && summaryCallTokens === 0;
}

/** The entries that are compactions, without the refusals. */
export function withoutRefusals(compactions: readonly SimulatedCompaction[]): readonly SimulatedCompaction[] {
  return compactions.filter((one) => !isRefusal(one));
}

/** The context before a compaction by the same count as its `tokensAfter`, so that the two can be compared. */
export function comparableBefore({
  tokensBefore,
  tokensBeforeCounted,
}: Pick<SimulatedCompaction, "tokensBefore" | "tokensBeforeCounted">): Tokens {
  return tokensBeforeCounted ?? tokensBefore;
}
