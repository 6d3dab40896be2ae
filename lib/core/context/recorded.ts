import { ITEM_CATEGORIES, OVERHEAD_COUNT } from "../base/categories";
import type { Tokens } from "../base/units";
import { BOUNDARY, recordedContext } from "../columns/columns";
import type { CountedColumns } from "../columns/counted";
import { type Membership, memberSums, recordedMembership } from "../columns/membership";
import { pointCount } from "../columns/points";
import { apportionWithin } from "../tokens/item-estimator";
import { type Calibration, calibrate, plausibleFactor } from "./calibration";
import { type ContextSeries, SeriesWriter } from "./series";

export interface RecordedSeries extends ContextSeries, Membership {
  readonly calibration: Calibration | undefined;
}

/**
 * Recorded context: the total comes from the usage, and the estimates of its items split it. The parts of the messages are the estimates, calibrated
 * by a plausible factor; the rest is `unattributed`.
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
  const factor = plausibleFactor(calibration);
  const points = pointCount(columns);
  const writer = new SeriesWriter(points);
  const { request, kind } = columns.boundaries;
  // The estimate contains cleared results as placeholders, so a clearing does not invalidate the last usage.
  const changed = new Set(request.filter((_, row) => kind[row] !== BOUNDARY.clearing));
  let anchor: Anchor | undefined;
  // One list for all requests: there may be tens of thousands.
  const parts: Tokens[] = estimates.map(() => 0);
  for (let point = 0; point < points; point++) {
    if (changed.has(point)) anchor = undefined;
    for (let code = 0; code < parts.length; code++) parts[code] = estimates[code]?.[point] ?? 0;
    const sum = sumBetween(parts, 0, parts.length);
    const usage = recordedContext(columns, point);
    if (usage >= 0) anchor = { usage, estimate: sum };
    const total = usage >= 0 ? usage : anchoredEstimate(anchor, sum, calibration?.factor ?? 1);
    // Without an earlier usage the estimate is the whole total, and all of it has a category. The call also turns `parts` from estimates into parts
    // of the total.
    const unattributed = anchor === undefined ? 0 : shareOut(total, parts, factor);
    writer.shares(point, total, parts, unattributed);
    if (usage < 0) writer.markEstimated(point);
  }
  const series = { ...writer.series(), ...membership, calibration };
  cache.set(tokens, series);
  return series;
}

/** Last request with usage since a boundary replaced or removed history. */
interface Anchor {
  readonly usage: Tokens;
  readonly estimate: Tokens;
}

/** Estimated context of a request without usage: the last recorded context plus the estimate of newer items, or the estimate alone. */
function anchoredEstimate(anchor: Anchor | undefined, estimate: Tokens, factor: number): Tokens {
  return anchor === undefined
    ? estimate
    : Math.max(0, anchor.usage + Math.round((estimate - anchor.estimate) * factor));
}

/** One series per token column, shared by all callers. */
const cache = new WeakMap<Int32Array, RecordedSeries>();

/**
 * Splits a recorded total over the estimated categories. The overhead comes first, with its estimate but at most the total. The message parts then
 * get their estimates, times a factor if there is one, and the rest is unattributed.
 * @param parts estimates by category; they become the parts of the total
 * @returns the unattributed tokens
 */
export function shareOut(total: Tokens, parts: Tokens[], factor: number | undefined): Tokens {
  const overhead = sumBetween(parts, 0, OVERHEAD_COUNT);
  const messages = sumBetween(parts, OVERHEAD_COUNT, parts.length);
  if (overhead > total) apportionWithin(total, parts, 0, OVERHEAD_COUNT);
  const left = total - Math.min(overhead, total);
  if (messages <= 0) return left;
  const wanted = Math.min(left, Math.round(messages * (factor ?? 1)));
  apportionWithin(wanted, parts, OVERHEAD_COUNT, parts.length);
  return left - wanted;
}

function sumBetween(values: readonly Tokens[], from: number, to: number): Tokens {
  let sum = 0;
  for (let at = from; at < to; at++) sum += values[at] ?? 0;
  return sum;
}
