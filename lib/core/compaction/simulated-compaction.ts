import type { ItemIndex, RequestIndex, Tokens } from "../base/units";
import type { Figures, Outcome, Retention, SimulatedTrigger, SyntheticItem } from "./policy";

/** One simulated compaction, which happened before `request`. Sizes include the overhead. */
export interface SimulatedCompaction {
  readonly request: RequestIndex;
  /** `unknown`: for a recorded compaction whose record does not say. No policy fires so. */
  readonly trigger: SimulatedTrigger | "unknown";
  readonly outcome: Outcome;
  readonly tokensBefore: Tokens;
  readonly tokensAfter: Tokens;
  /**
   * The context before it by the count that gives `tokensAfter`; absent where `tokensBefore` already is that. The two differ only where a replay
   * departs from the recorded usage: without this size, a small clearing would look as if the context had grown.
   */
  readonly tokensBeforeCounted?: Tokens | undefined;
  readonly summaryTokens: Tokens;
  readonly summaryCallTokens: Tokens;
  /** Tokens that this request rewrites of the context after it, whatever else changed before the request: `Replay.rewritten`. */
  readonly rewritten: Tokens;
  readonly keptItems: number;
  /** The kept items: recorded ones in file order, then what earlier compactions had added. Looked up when asked for. */
  readonly kept: readonly ItemIndex[];
  readonly truncated: readonly (readonly [ItemIndex, Tokens])[];
  readonly cleared: readonly (readonly [ItemIndex, Tokens])[];
  readonly added: readonly SyntheticItem[];
  /** Where the added items stand; absent means in front of what stays. */
  readonly addedAt?: Retention["addedAt"];
  /** How many of the newest kept items come after the added ones all the same; absent means none. */
  readonly entering?: Retention["entering"];
  /** Whether its sizes held for this request alone. */
  readonly transient?: boolean;
  readonly droppedItems: number;
  /** Other numbers that the policy reports. */
  readonly figures?: Figures | undefined;
  /**
   * Whether it came fewer than three requests after the one before, or left more than 80 % of the threshold; always false for what asks for no
   * summary.
   */
  readonly thrash: boolean;
  /** Whether it made the context smaller. */
  readonly shrunk: boolean;
}

/** The context before a compaction by the same count as its `tokensAfter`, so that the two can be compared. */
export function comparableBefore({
  tokensBefore,
  tokensBeforeCounted,
}: Pick<SimulatedCompaction, "tokensBefore" | "tokensBeforeCounted">): Tokens {
  return tokensBeforeCounted ?? tokensBefore;
}
