import type { Tokens } from "../base/units";
import type { Basis } from "../compaction/counting";
import type { Replay } from "../compaction/replay";

/** What a figure is a number of. A share lies between 0 and 1; all others are whole numbers. */
export type FigureUnit = "tokens" | "requests" | "count" | "share";

/** How the difference to another run is given: as a number, or as a share of the other run's figure. */
export type Change = "number" | "share";

/**
 * What figures are computed from. A figure that needs more than the replay, such as prices, gets it as one more field, which the three
 * callers of `figuresOf` (`compared.ts`, and in `lib/questions` a replay's result and a sweep) then give.
 */
export interface FigureInput {
  readonly replay: Replay;
  /** That of the policy; of a recording the session's. */
  readonly window: Tokens;
  /** Whether it is the recording itself, of which not everything is known. */
  readonly isRecording: boolean;
}

/** What the figures of a replay rest on: those that rest on different things are not set against each other. */
export interface Rests {
  readonly basis: Basis;
  /** Whether it is the recording itself. */
  readonly isRecording: boolean;
  /** Whether its `tokensRewritten` are what a recording says was not read from a cache, and not what comparing its contexts gives. */
  readonly rewrittenByReads: boolean;
}

/** A figure that is always there, or one that some replays do not have: absent is `null`, and never 0. */
type Computed =
  | { readonly mayBeAbsent: false; readonly of: (input: FigureInput) => number }
  | { readonly mayBeAbsent: true; readonly of: (input: FigureInput) => number | null };

/** One figure that a replay comes to, with everything that showing, comparing and summing it takes; its names are messages, by its key. */
export type Figure = Computed & {
  /** Its name in answers and in the address of a page. */
  readonly key: string;
  readonly unit: FigureUnit;
  /** Which end is the better one; of a figure with none no value is marked as the best. */
  readonly better: "lower" | "higher" | "neither";
  /** What it comes to over several recordings; `none` where it says nothing of them together. */
  readonly over: "sum" | "most" | "mean" | "none";
  /** Whether two runs may be compared in it that may be compared at all; without it they may. */
  readonly comparable?: (a: Rests, b: Rests) => boolean;
  /** Where answers hold it: in the `totals` of replays and of a sweep's rows, or in those rows only. A comparison needs neither. */
  readonly answer?: "totals" | "row";
  /** Its place in an answer has no `null`, since the contract is older than its absence: 0 stands there. Of no further figure. */
  readonly zeroWhereAbsent?: true;
  /** Where it is shown: in comparisons, in the results of the replay panel, in sweeps. */
  readonly shown: {
    readonly compare?: Change;
    readonly results?: Change;
    readonly sweep?: true;
  };
  /** What the command line calls it, in a replay and in the rows of a sweep, where it says it there. */
  readonly text: { readonly replay?: string; readonly sweep?: string };
};
