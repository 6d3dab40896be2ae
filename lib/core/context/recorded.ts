import type { Tokens } from "../base/units";
import { recordedContext, type SessionColumns } from "../columns/columns";
import { type Membership, memberSums, recordedMembership } from "../columns/membership";
import { pointCount } from "../columns/points";
import { type Calibration, calibrate } from "../tokens/calibration";
import { apportion } from "../tokens/item-estimator";
import { ITEM_CATEGORIES, OVERHEAD_COUNT } from "./categories";
import { type ContextSeries, SeriesWriter } from "./series";

export interface RecordedSeries extends ContextSeries, Membership {
  readonly calibration: Calibration | undefined;
}

/**
 * What the model saw, as recorded: total from the usage, split by the estimate of the items that were in the context.
 * Where the session calibrates, the messages' parts are the calibrated estimate and the rest is `unattributed`;
 * otherwise the parts share all of it.
 */
export function recordedSeries(columns: SessionColumns, tokens: Int32Array): RecordedSeries {
  const known = cache.get(tokens);
  if (known !== undefined) return known;
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
  const writer = new SeriesWriter(points);
  const estimate = new Int32Array(ITEM_CATEGORIES.length);
  for (let point = 0; point < points; point++) {
    for (let code = 0; code < estimate.length; code++) estimate[code] = estimates[code]?.[point] ?? 0;
    const usage = recordedContext(columns, point);
    if (usage < 0)
      writer.estimate(
        point,
        estimate,
        estimate.reduce((sum, size) => sum + size, 0),
      );
    else writer.shares(point, shareOut(usage, Array.from(estimate), calibration?.factor));
  }
  const series = { ...writer.series(), ...membership, calibration };
  cache.set(tokens, series);
  return series;
}

/** One series a token column: made once, whoever asks. */
const cache = new WeakMap<Int32Array, RecordedSeries>();

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
