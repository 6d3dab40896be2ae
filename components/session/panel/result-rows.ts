import { isComparable } from "@/lib/core/compaction/counting";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";
import type { Compared } from "@/lib/core/figures/compared";
import { isComparableIn } from "@/lib/core/figures/difference";
import type { Band, Change, FigureUnit } from "@/lib/core/figures/figure";
import type { FigureKey } from "@/lib/core/figures/registry";
import { RESULT_FIGURES } from "@/lib/core/figures/values";

/** Rows below the number of compactions, which say how many of the boundaries have a property. */
export type InnerRowId = "ofThemCompactions" | "thrash";

/** One row of the results: what was recorded, and what the policy gives. `null` where that is not known. */
export interface ResultRow {
  /** A figure, or a part of the figure above. */
  readonly id: FigureKey | InnerRowId;
  readonly unit: FigureUnit;
  readonly recorded: number | null;
  readonly simulated: number | null;
  /** The ranges that the two values lie in, where known. */
  readonly bands?: { readonly recorded: Band | undefined; readonly simulated: Band | undefined };
  /** How the difference is written: as a number, or as a share of the recorded value. `none` where the two rest on different bases. */
  readonly change: Change | "none";
}

interface Side extends Omit<Compared, "calibration" | "isHindsight"> {
  readonly compactions: readonly Pick<SimulatedCompaction, "outcome" | "thrash">[];
}

/** Whether a boundary replaced the history: a clearing or a failed attempt does not. */
function isCompaction({ outcome }: Side["compactions"][number]): boolean {
  return outcome === "summary" || outcome === "fallback";
}

function compactionsOf({ compactions }: Side): number {
  return compactions.filter(isCompaction).length;
}

/** How many compactions came too soon after another or left too much. */
function thrashOf({ compactions }: Side): number {
  return compactions.filter((one) => isCompaction(one) && one.thrash).length;
}

/**
 * The results of a replay beside the recording.
 * @param measuredPeak peak of the requests with recorded usage, as the list of sessions shows it; `null` where no request has
 * usage
 */
export function resultRows(recorded: Side, simulated: Side, measuredPeak: number | null): readonly ResultRow[] {
  // A side that never parts from the recording has the recorded peak, even where a request without usage is estimated to be larger.
  const figureIn = ({ basis, figures }: Side, key: FigureKey) =>
    (key === "peak" && basis === "recorded" ? measuredPeak : null) ?? figures[key];
  return RESULT_FIGURES.flatMap((figure): readonly ResultRow[] => {
    const { key: id, unit } = figure;
    const change = isComparableIn(figure, recorded, simulated) ? figure.change : "none";
    const bands = { recorded: recorded.bands[id], simulated: simulated.bands[id] };
    const [was, is] = [figureIn(recorded, id), figureIn(simulated, id)];
    const row: ResultRow = { id, unit, recorded: was, simulated: is, change, bands };
    return id === "compactions" ? [row, ...innerRows(recorded, simulated, change)] : [row];
  });
}

/** How many of the boundaries are compactions, and how many of those thrash; each row only where it tells something. */
function innerRows(recorded: Side, simulated: Side, change: ResultRow["change"]): readonly ResultRow[] {
  const [all, thrash] = [compactionsOf(simulated), thrashOf(simulated)];
  const inner = { unit: "count", change } as const;
  return [
    ...(all === simulated.compactions.length
      ? []
      : [{ ...inner, id: "ofThemCompactions", recorded: compactionsOf(recorded), simulated: all } as const]),
    ...(thrash === 0 ? [] : [{ ...inner, id: "thrash", recorded: null, simulated: thrash } as const]),
  ];
}

/** Why differences are left out: `otherBasis` for all figures, `rewrittenApart` for what was re-sent uncached; `undefined` where none is. */
export function whyNoChange(recorded: Side, simulated: Side): "otherBasis" | "rewrittenApart" | undefined {
  if (!isComparable(recorded.basis, simulated.basis)) return "otherBasis";
  return recorded.rewrittenByReads === simulated.rewrittenByReads ? undefined : "rewrittenApart";
}

/** The difference as a share of the recorded value; `null` where either is absent. */
export function changeShare(row: Pick<ResultRow, "recorded" | "simulated">): number | null {
  const { recorded, simulated } = row;
  return recorded === null || simulated === null || recorded === 0 ? null : (simulated - recorded) / recorded;
}
