import { answeredMetrics } from "@/lib/core/metrics/answered";
import { frontOf } from "@/lib/core/metrics/pareto";
import { SPENT, type Spent, TRADE_OFFS } from "@/lib/core/metrics/registry";
import type { SweepRow } from "@/lib/queries/contract/types";
import { toTotals } from "./replay-result";
import type { SweptPoint } from "./sweep";

/**
 * Answered points of one recording without their front mark, which needs all points. Each thread writes the rows that it replayed: otherwise
 * thousands of objects would be copied between threads, and then written by the thread that answers every query.
 */
export interface WrittenPoints {
  /** Each row as a JSON object. */
  readonly rows: readonly string[];
  /** By trade-off metric, its value at every point; NaN if a point lacks it. */
  readonly tradeOff: readonly Float64Array<ArrayBuffer>[];
}

/** @param file name without folders */
export function writtenPoints(file: string, points: readonly SweptPoint[], spent: Spent = SPENT[0]): WrittenPoints {
  return {
    rows: points.map(({ set, metrics, costUsd, unpriced, counted }) => {
      const totals = toTotals(metrics, costUsd, unpriced);
      const row: Omit<SweepRow, "pareto"> = {
        file,
        set: { ...set },
        totals,
        ...counted,
        ...answeredMetrics("row", metrics),
      };
      return JSON.stringify(row);
    }),
    tradeOff: TRADE_OFFS[spent].map((key) => Float64Array.from(points, ({ metrics }) => metrics[key] ?? Number.NaN)),
  };
}

/** All points of one recording as rows of the contract, each as JSON, with the Pareto front marked. @param parts all of them, in order */
export function* sweepRows(parts: readonly WrittenPoints[], spent: Spent = SPENT[0]): Generator<string> {
  const front = frontOf(parts.flatMap(tradeOffs), TRADE_OFFS[spent]);
  let at = 0;
  for (const { rows } of parts) {
    for (const row of rows) {
      yield `${row.slice(0, -"}".length)},"pareto":${front[at] ?? false}}`;
      at += 1;
    }
  }
}

function tradeOffs({
  rows,
  tradeOff: [first, second],
}: WrittenPoints): readonly (readonly [number | null, number | null])[] {
  return rows.map((_, at) => [known(first?.[at]), known(second?.[at])]);
}

function known(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
