import type { AccuracyRow } from "@/lib/api/types";

/** One estimator as the table shows it. */
export interface AccuracyLine extends AccuracyRow {
  /** Half the bar: |bias| as a share of the largest one shown. */
  readonly bar: number;
  readonly triggered: "shifted" | "notReached" | "neverFires" | "unknown";
}

/** A bias beyond this fills its bar: one wild estimator does not flatten the others. */
const FULL_BAR = 1;

/** The estimators, the most accurate first. */
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
