import type { ItemIndex, RequestIndex, Tokens } from "../base/units";
import type { Figures, Outcome, Retention, SimulatedTrigger, SyntheticItem } from "./policy";

/** One simulated compaction, before the request named. Sizes include the overhead. */
export interface SimulatedCompaction {
  readonly request: RequestIndex;
  /** `unknown`: of a recorded one, where its record does not say. No policy fires so. */
  readonly trigger: SimulatedTrigger | "unknown";
  readonly outcome: Outcome;
  readonly tokensBefore: Tokens;
  readonly tokensAfter: Tokens;
  /**
   * The context before it by the count that gives `tokensAfter`; absent where `tokensBefore` is that. Only where a replay leaves
   * the recorded usage do the two differ: without it a small clearing looks as if the context had grown.
   */
  readonly tokensBeforeCounted?: Tokens | undefined;
  readonly summaryTokens: Tokens;
  readonly summaryCallTokens: Tokens;
  /** Tokens of the context behind it that are rewritten, whatever else changed before this request: `Replay.rewritten`. */
  readonly rewritten: Tokens;
  readonly keptItems: number;
  /** Those items, recorded ones in file order and then what earlier compactions had added. Looked up when it is asked for. */
  readonly kept: readonly ItemIndex[];
  readonly truncated: readonly (readonly [ItemIndex, Tokens])[];
  readonly cleared: readonly (readonly [ItemIndex, Tokens])[];
  readonly added: readonly SyntheticItem[];
  /** Where those stand: in front of what stays, where nothing is said. */
  readonly addedAt?: Retention["addedAt"];
  /** How many of the newest kept items stand behind those all the same: none, where nothing is said. */
  readonly entering?: Retention["entering"];
  /** Whether its sizes held for this request alone. */
  readonly transient?: boolean;
  readonly droppedItems: number;
  /** What the policy tells beside that. */
  readonly figures?: Figures | undefined;
  /** Fewer than three requests after the one before, or a result above 80 % of the trigger; of what asks for no summary never. */
  readonly thrash: boolean;
  /** Whether it made the context smaller. */
  readonly shrunk: boolean;
}

/** The context before a compaction that its `tokensAfter` may be compared with: both by the same count. */
export function comparableBefore({
  tokensBefore,
  tokensBeforeCounted,
}: Pick<SimulatedCompaction, "tokensBefore" | "tokensBeforeCounted">): Tokens {
  return tokensBeforeCounted ?? tokensBefore;
}
