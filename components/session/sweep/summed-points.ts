import type { SweepRow } from "@/lib/api/types";
import { bandsOfTotals, figuresOfRow } from "@/lib/core/figures/answered";
import { type LackedFigure, lackedFigures, summedBands, summedFigures } from "@/lib/core/figures/sums";
import type { VaryRange } from "@/lib/core/metrics/grid";
import { sweepFront } from "@/lib/questions/replays/sweep";
import type { ShownPoints } from "./points";

/** The points of one sweep, summed over several recordings. */
export interface SummedPoints extends ShownPoints {
  /** Which points are on the front of few tokens sent against many kept, over all recordings. */
  readonly front: readonly boolean[];
  readonly recordings: number;
  /** Figures without a sum, because some recordings lack them. */
  readonly lacked: readonly LackedFigure[];
}

/**
 * Sums the points of one sweep over several recordings.
 * @param rows rows of every recording, their points in the same order
 */
export function summedPoints(vary: readonly VaryRange[], rows: readonly (readonly SweepRow[])[]): SummedPoints {
  const banded = rows.map((of) => of.map((row) => ({ figures: figuresOfRow(row), bands: bandsOfTotals(row.totals) })));
  const figures = banded.map((of) => of.map((one) => one.figures));
  const points = (rows[0] ?? []).map(({ set }, at) => {
    const own = banded.flatMap((of) => of[at] ?? []);
    return { set, figures: summedFigures(own.map((one) => one.figures)), bands: summedBands(own) };
  });
  return { vary, points, front: sweepFront(points), recordings: rows.length, lacked: lackedFigures(figures) };
}
