import type { Tokens } from "../base/units";
import { recordedContext, type SessionColumns } from "../columns/columns";
import { type Membership, memberSums, recordedMembership } from "../columns/membership";
import { pointCount } from "../columns/points";
import { type Calibration, calibrate } from "../tokens/calibration";
import { apportion } from "../tokens/item-estimator";
import { ITEM_CATEGORIES, OVERHEAD_COUNT } from "./categories";

/** The recorded context at every request point, by category. Categories and `unattributed` sum to `context`, always. */
export interface ContextSeries {
  readonly context: Int32Array;
  /** 1 where no usage is recorded and the context is the estimate of what was sent. */
  readonly estimated: Uint8Array;
  /** Tokens by category code. */
  readonly byCategory: readonly Int32Array[];
  /** Recorded usage that no item of the file accounts for: re-attached files, reminders, the estimator's error. */
  readonly unattributed: Int32Array;
}

export interface RecordedSeries extends ContextSeries, Membership {
  readonly calibration: Calibration | undefined;
}

/**
 * What the model saw, as recorded: total from the usage, split by the estimate of the items that were in the context.
 * Where the session calibrates, the messages' parts are the calibrated estimate and the rest is `unattributed`;
 * otherwise the parts share all of it.
 */
export function recordedSeries(columns: SessionColumns, tokens: Int32Array): RecordedSeries {
  const membership = recordedMembership(columns);
  const calibration = calibrate(columns, tokens);
  const estimates = memberSums(
    columns,
    tokens,
    membership,
    ITEM_CATEGORIES.length,
    (row) => columns.category[row] ?? 0,
  );
  const points = pointCount(columns);
  const series = emptySeries(points);
  for (let point = 0; point < points; point++) {
    const estimate = estimates.map((sums) => sums[point] ?? 0);
    const usage = recordedContext(columns, point);
    if (usage < 0) writeEstimate(series, point, estimate);
    else writeShares(series, point, shareOut(usage, estimate, calibration?.factor));
  }
  return { ...series, ...membership, calibration };
}

/** A series of zeros. */
export function emptySeries(points: number): ContextSeries {
  return {
    context: new Int32Array(points),
    estimated: new Uint8Array(points),
    byCategory: ITEM_CATEGORIES.map(() => new Int32Array(points)),
    unattributed: new Int32Array(points),
  };
}

/** Writes an estimated point: the categories as they are. */
export function writeEstimate(series: ContextSeries, point: number, estimate: readonly Tokens[]): void {
  let sum = 0;
  estimate.forEach((tokens, category) => {
    const column = series.byCategory[category];
    if (column !== undefined) column[point] = tokens;
    sum += tokens;
  });
  series.context[point] = sum;
  series.estimated[point] = 1;
}

/** Writes a point whose total is known. */
export function writeShares(series: ContextSeries, point: number, shares: Shares): void {
  shares.parts.forEach((tokens, category) => {
    const column = series.byCategory[category];
    if (column !== undefined) column[point] = tokens;
  });
  series.unattributed[point] = shares.unattributed;
  series.context[point] = shares.total;
}

export interface Shares {
  readonly total: Tokens;
  readonly parts: readonly Tokens[];
  readonly unattributed: Tokens;
}

/**
 * Splits a recorded total over the estimated categories: overhead first, as estimated and at most the total; the messages'
 * parts share what is left, or, with a factor, take the calibrated estimate of it and leave the rest unattributed.
 */
export function shareOut(total: Tokens, estimate: readonly Tokens[], factor: number | undefined): Shares {
  const overhead = capped(estimate.slice(0, OVERHEAD_COUNT), total);
  const left = total - sumOf(overhead);
  const messages = estimate.slice(OVERHEAD_COUNT);
  const wanted = factor === undefined ? left : Math.min(left, Math.round(sumOf(messages) * factor));
  const parts = sumOf(messages) > 0 ? apportion(wanted, messages) : messages.map(() => 0);
  return { total, parts: [...overhead, ...parts], unattributed: left - sumOf(parts) };
}

function capped(values: readonly Tokens[], total: Tokens): readonly Tokens[] {
  return sumOf(values) <= total ? values : apportion(total, values);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
