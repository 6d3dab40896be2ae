import { isComparable } from "@/lib/core/compaction/counting";
import type { ReplayTotals } from "@/lib/core/compaction/replay-totals";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulated-compaction";
import type { Rests } from "@/lib/core/metrics/compared";

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
  /** How the difference is written: as a number, or as a share of what was recorded; not at all where both rest on different bases. */
  readonly change: "number" | "share" | "none";
}

interface Side extends Rests {
  readonly totals: ReplayTotals;
  readonly compactions: readonly Pick<SimulatedCompaction, "outcome" | "thrash">[];
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
export function resultRows(recorded: Side, simulated: Side, measuredPeak: number | null): readonly ResultRow[] {
  const rows = rowsOf(recorded, simulated, measuredPeak);
  return isComparable(recorded.basis, simulated.basis) ? rows : rows.map((row) => ({ ...row, change: "none" }));
}

function rowsOf(recorded: Side, simulated: Side, measuredPeak: number | null): readonly ResultRow[] {
  const number = (id: ResultId, before: number, after: number): ResultRow => ({
    id,
    recorded: before,
    simulated: after,
    change: "number",
  });
  // What never parts from the recording has its peak where the recording has it, not where a request without usage is estimated to be larger.
  const peakOf = ({ basis, totals }: Side) => (basis === "recorded" ? measuredPeak : null) ?? totals.peak;
  return [
    number("compactions", recorded.compactions.length, simulated.compactions.length),
    ...(compactionsOf(simulated) === simulated.compactions.length
      ? []
      : [number("ofThemCompactions", compactionsOf(recorded), compactionsOf(simulated))]),
    ...(thrashOf(simulated) === 0
      ? []
      : [{ id: "thrash", recorded: null, simulated: thrashOf(simulated), change: "number" } as const]),
    number("peak", peakOf(recorded), peakOf(simulated)),
    { ...number("tokensSent", recorded.totals.tokensSent, simulated.totals.tokensSent), change: "share" },
    {
      ...number("tokensRewritten", recorded.totals.tokensRewritten, simulated.totals.tokensRewritten),
      ...(recorded.rewrittenByReads === simulated.rewrittenByReads ? {} : { change: "none" }),
    },
    number("requestsOverWindow", recorded.totals.requestsOverWindow, simulated.totals.requestsOverWindow),
    {
      id: "summaryCallTokens",
      recorded: null,
      simulated: simulated.isRecording ? null : simulated.totals.summaryCallTokens,
      change: "number",
    },
  ];
}

/** Why differences are not given: of any figure, or of what was rewritten; `undefined` where all are. */
export function whyNoChange(recorded: Side, simulated: Side): "otherBasis" | "rewrittenApart" | undefined {
  if (!isComparable(recorded.basis, simulated.basis)) return "otherBasis";
  return recorded.rewrittenByReads === simulated.rewrittenByReads ? undefined : "rewrittenApart";
}

/** A difference as a share of what was recorded; `null` where one of both is absent. */
export function changeShare(row: ResultRow): number | null {
  const { recorded, simulated } = row;
  return recorded === null || simulated === null || recorded === 0 ? null : (simulated - recorded) / recorded;
}
