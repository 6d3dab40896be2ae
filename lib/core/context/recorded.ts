import type { Tokens } from "../base/units";
import { BOUNDARY, recordedContext } from "../columns/columns";
import type { CountedColumns } from "../columns/counted";
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
 * What the model saw, as recorded: the total comes from the usage, and the estimate of the items that were in the context splits it. If the session
 * calibrates, the parts of the messages are the calibrated estimate and the rest is `unattributed`; otherwise the parts share all of it.
 */
export function recordedSeries(recording: CountedColumns): RecordedSeries {
  const { columns, tokens } = recording;
  const known = cache.get(tokens);
  if (known !== undefined) return known;
  const membership = recordedMembership(columns);
  const calibration = calibrate(recording);
  const estimates = memberSums(
    columns,
    tokens,
    membership,
    ITEM_CATEGORIES.length,
    (row) => columns.category[row] ?? 0,
  );
  const points = pointCount(columns);
  const writer = new SeriesWriter(points);
  const { request, kind } = columns.boundaries;
  // Cleared results are in the estimate as placeholders, so the last usage still measures the rest.
  const changed = new Set(request.filter((_, row) => kind[row] !== BOUNDARY.clearing));
  let anchor: Anchor | undefined;
  for (let point = 0; point < points; point++) {
    if (changed.has(point)) anchor = undefined;
    const estimate = estimates.map((sums) => sums[point] ?? 0);
    const sum = sumBetween(estimate, 0, estimate.length);
    const usage = recordedContext(columns, point);
    if (usage >= 0) anchor = { usage, estimate: sum };
    const total = usage >= 0 ? usage : anchoredEstimate(anchor, sum, calibration?.factor ?? 1);
    writer.shares(
      point,
      usage >= 0 || anchor !== undefined
        ? shareOut(total, estimate, calibration?.factor)
        : fullyAttributed(estimate, sum),
    );
    if (usage < 0) writer.markEstimated(point);
  }
  const series = { ...writer.series(), ...membership, calibration };
  cache.set(tokens, series);
  return series;
}

/** The last request with usage since the history was replaced or taken back. */
interface Anchor {
  readonly usage: Tokens;
  readonly estimate: Tokens;
}

/** What a request without usage sent: the last recorded context plus the estimate of what came after it; without one, the estimate alone. */
function anchoredEstimate(anchor: Anchor | undefined, estimate: Tokens, factor: number): Tokens {
  return anchor === undefined
    ? estimate
    : Math.max(0, anchor.usage + Math.round((estimate - anchor.estimate) * factor));
}

function fullyAttributed(parts: readonly Tokens[], total: Tokens): Shares {
  return { total, parts, unattributed: 0 };
}

/** One series per token column, made once and shared by all callers. */
const cache = new WeakMap<Int32Array, RecordedSeries>();

export interface Shares {
  readonly total: Tokens;
  readonly parts: readonly Tokens[];
  readonly unattributed: Tokens;
}

/**
 * Splits a recorded total over the estimated categories. The overhead comes first, as estimated and at most the total. The parts of the messages
 * share what is left; with a factor they take the calibrated estimate of it, and the rest is unattributed.
 */
export function shareOut(total: Tokens, estimate: readonly Tokens[], factor: number | undefined): Shares {
  const overhead = sumBetween(estimate, 0, OVERHEAD_COUNT);
  const messages = sumBetween(estimate, OVERHEAD_COUNT, estimate.length);
  const parts = estimate.slice();
  if (overhead > total) put(apportion(total, estimate.slice(0, OVERHEAD_COUNT)), parts, 0);
  const left = total - Math.min(overhead, total);
  const wanted = factor === undefined ? left : Math.min(left, Math.round(messages * factor));
  if (messages > 0) put(apportion(wanted, estimate.slice(OVERHEAD_COUNT)), parts, OVERHEAD_COUNT);
  return { total, parts, unattributed: messages > 0 ? left - wanted : left };
}

function sumBetween(values: readonly Tokens[], from: number, to: number): Tokens {
  let sum = 0;
  for (let at = from; at < to; at++) sum += values[at] ?? 0;
  return sum;
}

function put(values: readonly Tokens[], into: Tokens[], from: number): void {
  for (let at = 0; at < values.length; at++) into[from + at] = values[at] ?? 0;
}
