import { isComparable } from "@/lib/core/compaction/counting";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulated-compaction";
import type { Compared } from "@/lib/core/figures/compared";
import { isComparableIn } from "@/lib/core/figures/difference";
import type { Band, Change, FigureUnit } from "@/lib/core/figures/figure";
import type { FigureKey } from "@/lib/core/figures/registry";
import { RESULT_FIGURES } from "@/lib/core/figures/values";

/** Rows that say of the compactions how many of them. */
export type InnerRowId = "ofThemCompactions" | "thrash";

/** One line of the results: what was recorded, what the policy gives. `null` where nothing says. */
export interface ResultRow {
  /** A figure, or a part of the one above. */
  readonly id: FigureKey | InnerRowId;
  readonly unit: FigureUnit;
  readonly recorded: number | null;
  readonly simulated: number | null;
  /** Between what the two lie, where that is known. */
  readonly bands?: { readonly recorded: Band | undefined; readonly simulated: Band | undefined };
  /** How the difference is written: as a number, or as a share of what was recorded; not at all where both rest on different bases. */
  readonly change: Change | "none";
}

interface Side extends Omit<Compared, "calibration"> {
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
 * The results of a replay beside the recording.
 * @param measuredPeak of the requests with recorded usage, the figure that the list of sessions shows; `null` where none has
 */
export function resultRows(recorded: Side, simulated: Side, measuredPeak: number | null): readonly ResultRow[] {
  // What never parts from the recording has its peak where the recording has it, not where a request without usage is estimated to be larger.
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

/** How many of the boundaries are compactions, and how many of those thrash, where that says anything. */
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

/** Why differences are not given: of any figure, or of what was rewritten; `undefined` where all are. */
export function whyNoChange(recorded: Side, simulated: Side): "otherBasis" | "rewrittenApart" | undefined {
  if (!isComparable(recorded.basis, simulated.basis)) return "otherBasis";
  return recorded.rewrittenByReads === simulated.rewrittenByReads ? undefined : "rewrittenApart";
}

/** A difference as a share of what was recorded; `null` where one of both is absent. */
export function changeShare(row: Pick<ResultRow, "recorded" | "simulated">): number | null {
  const { recorded, simulated } = row;
  return recorded === null || simulated === null || recorded === 0 ? null : (simulated - recorded) / recorded;
}
