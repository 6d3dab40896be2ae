import type { Share, Tokens } from "../base/units";
import type { Basis } from "../compaction/counting";
import type { Replay } from "../compaction/replay";
import type { Refetched } from "../refetch/metrics";

/** What a figure counts. A share is a part of 1, dollars have six decimals; all other figures are whole numbers. */
export type MetricUnit = "tokens" | "requests" | "count" | "share" | "dollars";

/** The range in which a figure lies that is not known exactly. */
export interface Band {
  readonly low: number;
  readonly high: number;
  /** Whether the figure, and both ends, are the least that it can be. */
  readonly lowerBound: boolean;
}

/** What a replay would have cost, in dollars. */
interface Costed extends Band {
  /** `null` where only the band is known. */
  readonly total: number | null;
}

/** How the difference to another run is given: as a number, or as a share of the other run's figure. */
export type Change = "number" | "share";

/**
 * What figures are computed from. If a figure needs more than the replay, such as prices, add a field here; `figureInput` (`lib/queries/replays`) then supplies
 * it.
 */
export interface MetricInput {
  readonly replay: Replay;
  /** The window of the policy; for a recording, that of the session. `undefined` where only a lower bound of it is known. */
  readonly window: Tokens | undefined;
  /** Whether it is the recording itself, about which not everything is known. */
  readonly isRecording: boolean;
  /** `null` where a request has no price. */
  readonly cost: Costed | null;
  /** By how much it costs more than the policy's best schedule, as a share of that; `null` where it has none, or where nobody asked for it. */
  readonly regret: Share | null;
  /** What that schedule costs, in dollars; `null` likewise. */
  readonly bestUsd: number | null;
  /** Absent where the session's texts were not looked through, or say nothing. */
  readonly needed: Refetched | undefined;
}

/** What the figures of a replay rest on: those that rest on different things are not compared. */
export interface Rests {
  readonly basis: Basis;
  /** Whether it is the recording itself. */
  readonly isRecording: boolean;
  /** Whether its `tokensRewritten` come from what the recording says was not read from a cache, instead of from comparing its contexts. */
  readonly rewrittenByReads: boolean;
}

/** A figure that is always there, or one that some replays do not have: absent is `null`, and never 0. */
type Computed =
  | { readonly mayBeAbsent: false; readonly of: (input: MetricInput) => number }
  | { readonly mayBeAbsent: true; readonly of: (input: MetricInput) => number | null };

/** One figure of a replay, with everything that is needed to show, compare and sum it. Its names are messages, by its key. */
export type Metric = Computed & {
  /** Its name in answers and in the address of a page. */
  readonly key: string;
  readonly unit: MetricUnit;
  /** The range in which it lies; `undefined` where it is known exactly, or not at all. */
  readonly band?: (input: MetricInput) => Band | undefined;
  /** Which end is the better one; if neither is, no value is marked as the best. */
  readonly better: "lower" | "higher" | "neither";
  /** How its values over several recordings are combined; `none` where no combination means anything. */
  readonly over: "sum" | "most" | "mean" | "none";
  /** Whether two runs may be compared in this figure, given that they may be compared at all; if absent, they may. */
  readonly comparable?: (a: Rests, b: Rests) => boolean;
  /** Where answers hold it: in the `totals` of replays and of a sweep's rows, or only in those rows. A comparison needs neither. */
  readonly answer?: "totals" | "row";
  /** Answers hold an object of its parts and its band in its place, of which this is the figure itself; a schema of its own describes it. */
  readonly answerPart?: string;
  /** The figure with whose lower bound this one, a plain number in answers, is a lower bound too. */
  readonly leastWith?: string;
  /** Whether an answer has 0 instead of `null` in its place, because the contract is older than its absence. No other figure may do this. */
  readonly zeroWhereAbsent?: true;
  /** Whether a sweep computes it only where it is asked for, because it takes long. */
  readonly onRequest?: true;
  /** Where it is shown: in comparisons, in the results of the replay panel, in sweeps. */
  readonly shown: {
    readonly compare?: Change;
    readonly results?: Change;
    readonly sweep?: true;
  };
  /** What the command line calls it in a replay and in the rows of a sweep; absent where it is not printed. */
  readonly text: { readonly replay?: string; readonly sweep?: string };
};
