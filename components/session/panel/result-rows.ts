import type { ReplayTotals } from "@/lib/core/compaction/replay-totals";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulated-compaction";

export type ResultId =
  | "compactions"
  | "ofThemCompactions"
  | "thrash"
  | "peak"
  | "tokensSent"
  | "tokensRewritten"
  | "requestsOverWindow"
  | "summaryCallTokens";

/** One line of the results: what was recorded, what the policy gives. `null` where nothing says. */
export interface ResultRow {
  readonly id: ResultId;
  readonly recorded: number | null;
  readonly simulated: number | null;
  /** How the difference is written: as a number, or as a share of what was recorded. */
  readonly change: "number" | "share";
}

interface Side {
  readonly totals: ReplayTotals;
  readonly compactions: readonly Pick<SimulatedCompaction, "outcome" | "thrash">[];
}

/** What is set beside the recording: a replay, or the recording once more. */
interface Replayed extends Side {
  readonly isRecording?: boolean;
}

/** Those boundaries at which the history was replaced: clearings are none, nor is what failed. */
function isCompaction({ outcome }: Side["compactions"][number]): boolean {
  return outcome === "summary" || outcome === "fallback";
}

function compactionsOf({ compactions }: Side): number {
  return compactions.filter(isCompaction).length;
}

/** Compactions that came too soon after another or left too much. */
function thrashOf({ compactions }: Side): number {
  return compactions.filter((one) => isCompaction(one) && one.thrash).length;
}

/**
 * The results of a replay beside the recording. Tokens of the summarising calls are not recorded.
 * @param measuredPeak of the requests with recorded usage, the figure that the list of sessions shows; `null` where none has
 */
export function resultRows(recorded: Side, simulated: Replayed, measuredPeak: number | null): readonly ResultRow[] {
  const number = (id: ResultId, before: number, after: number): ResultRow => ({
    id,
    recorded: before,
    simulated: after,
    change: "number",
  });
  return [
    number("compactions", recorded.compactions.length, simulated.compactions.length),
    ...(compactionsOf(simulated) === simulated.compactions.length
      ? []
      : [number("ofThemCompactions", compactionsOf(recorded), compactionsOf(simulated))]),
    ...(thrashOf(simulated) === 0
      ? []
      : [{ id: "thrash", recorded: null, simulated: thrashOf(simulated), change: "number" } as const]),
    number("peak", measuredPeak ?? recorded.totals.peak, simulated.totals.peak),
    { ...number("tokensSent", recorded.totals.tokensSent, simulated.totals.tokensSent), change: "share" },
    number("tokensRewritten", recorded.totals.tokensRewritten, simulated.totals.tokensRewritten),
    number("requestsOverWindow", recorded.totals.requestsOverWindow, simulated.totals.requestsOverWindow),
    {
      id: "summaryCallTokens",
      recorded: null,
      simulated: simulated.isRecording === true ? null : simulated.totals.summaryCallTokens,
      change: "number",
    },
  ];
}

/** A difference as a share of what was recorded; `null` where one of both is absent. */
export function changeShare(row: ResultRow): number | null {
  const { recorded, simulated } = row;
  return recorded === null || simulated === null || recorded === 0 ? null : (simulated - recorded) / recorded;
}
