import type { Share, Tokens } from "../base/units";
import type { Basis } from "../compaction/counting";
import type { Replay } from "../compaction/replay";
import type { Refetched } from "../refetch/metrics";

/** Unit of a metric. A share is a part of 1, dollars have six decimals; all other metrics are whole numbers. */
export type MetricUnit = "tokens" | "requests" | "count" | "share" | "dollars";

/** The range of a metric that is not known exactly. */
export interface Band {
  readonly low: number;
  readonly high: number;
  /** True if the metric, and both ends, are lower bounds. */
  readonly lowerBound: boolean;
}

/** Cost of a replay, in dollars. */
interface Costed extends Band {
  /** `null` if only the band is known. */
  readonly total: number | null;
  /** Actions in pauses, as part of the total; absent for a replay without any. */
  readonly pauses?:
    | {
        readonly idle: number;
        readonly unusedIdle: number;
        readonly keepAliveRequests: number;
        readonly keepAliveUsd: number;
      }
    | undefined;
}

/** Unit of the difference to another run: a number, or a share of the other run's metric. */
export type Change = "number" | "share";

/**
 * Input of the metrics. If a metric needs more than the replay, such as prices, add a field here; `metricInput` (`lib/queries/replays`) then supplies
 * it.
 */
export interface MetricInput {
  readonly replay: Replay;
  /** The window of the policy; for a recording, that of the session. `undefined` if only a lower bound is known. */
  readonly window: Tokens | undefined;
  /** True for the recording itself, whose facts may be incomplete. */
  readonly isRecording: boolean;
  /** `null` if a request has no price. */
  readonly cost: Costed | null;
  /** Extra cost over the policy's hindsight optimum, as a share of that; `null` if it has none, or if it was not requested. */
  readonly regret: Share | null;
  /** Cost of that hindsight optimum, in dollars; `null` in the same cases. */
  readonly bestUsd: number | null;
  /** Absent if the session's texts were not indexed, or are masked. */
  readonly refetched: Refetched | undefined;
}

/** Basis of a replay's metrics: runs with different bases are not compared. */
export interface ComparisonBasis {
  readonly basis: Basis;
  /** True for the recording itself. */
  readonly isRecording: boolean;
  /** True if its `tokensRewritten` come from the recorded cache reads instead of from comparing its contexts. */
  readonly uncachedByReads: boolean;
}

/** A metric that every replay has, or one that some replays lack: then it is `null`, never 0. */
type Computed =
  | { readonly mayBeAbsent: false; readonly of: (input: MetricInput) => number }
  | { readonly mayBeAbsent: true; readonly of: (input: MetricInput) => number | null };

/** A metric of a replay, with everything needed to show, compare and sum it. Its names are in the messages, under its key. */
export type Metric = Computed & {
  /** Its name in answers and in the address of a page. */
  readonly key: string;
  readonly unit: MetricUnit;
  /** The range in which it lies; `undefined` if it is known exactly, or not at all. */
  readonly band?: (input: MetricInput) => Band | undefined;
  /** The better direction; with `neither`, no value is marked as the best. */
  readonly better: "lower" | "higher" | "neither";
  /** Combination of its values over several recordings; `none` if no combination means anything. */
  readonly over: "sum" | "most" | "mean" | "none";
  /** True if two otherwise comparable runs may be compared by this metric; absent means true. */
  readonly comparable?: (a: ComparisonBasis, b: ComparisonBasis) => boolean;
  /** Part of an answer that holds it: the `totals` of replays and of a sweep's rows, or only those rows. A comparison needs neither. */
  readonly answer?: "totals" | "row";
  /** Name of this value in the object of parts and band in answers; that object has its own schema. */
  readonly answerPart?: string;
  /** Key of the metric that decides if this one (a plain number in answers) is a lower bound too. */
  readonly leastWith?: string;
  /** True if an answer has 0 instead of `null`, because the contract is older than its absence. No other metric may do this. */
  readonly zeroWhereAbsent?: true;
  /** True if a sweep computes it only on request, because it takes long. */
  readonly onRequest?: true;
  /** True if the results show it only if one of the two runs has it. */
  readonly whereKnown?: true;
  /** Views that show it: comparisons, the results of the replay panel, sweeps. */
  readonly shown: {
    readonly compare?: Change;
    readonly results?: Change;
    readonly sweep?: true;
  };
  /**
   * Its name in the command line's output for a replay and for a sweep's rows, absent if it is not printed there; and in a comparison without either.
   */
  readonly text: { readonly replay?: string; readonly sweep?: string; readonly compare?: string };
};
