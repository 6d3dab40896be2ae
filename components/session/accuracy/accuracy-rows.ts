import type { AccuracyRow } from "@/lib/api/types";

/** One estimator as a row of the table. */
export interface AccuracyLine extends AccuracyRow {
  /** Half the bar's width: |bias| as a share of the largest bias shown. */
  readonly bar: number;
  readonly triggered: "shifted" | "notReached" | "neverFires" | "unknown";
}

/** A bias above this fills its bar, so that one wild estimator does not flatten the others. */
const FULL_BAR = 1;

/** The rows, the most accurate estimator first. */
export function accuracyLines(rows: readonly AccuracyRow[]): readonly AccuracyLine[] {
  const most = Math.min(FULL_BAR, Math.max(...rows.map(({ bias }) => Math.abs(bias)), Number.EPSILON));
  return [...rows]
    .sort((a, b) => a.mape - b.mape)
    .map((row) => ({ ...row, bar: Math.min(1, Math.abs(row.bias) / most), triggered: triggeredOf(row) }));
}

function triggeredOf({ trigger, triggerShift }: AccuracyRow): AccuracyLine["triggered"] {
  if (triggerShift !== null) return "shifted";
  if (trigger === null) return "unknown";
  return trigger.recorded === null ? "notReached" : "neverFires";
}
