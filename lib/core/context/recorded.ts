import { ITEM_CATEGORIES, OVERHEAD_COUNT } from "../base/categories";
import type { ItemIndex, RequestIndex, Tokens } from "../base/units";
import { BOUNDARY, recordedContext, type SessionColumns } from "../columns/columns";
import type { CountedColumns } from "../columns/counted";
import { isMember, type Membership, memberSums, recordedMembership, tokensAt } from "../columns/membership";
import { pointCount } from "../columns/points";
import { apportion, apportionWithin } from "../tokens/item-estimator";
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

/** The last request with usage up to this one; this one if none has any. */
export function lastMeasured(estimated: Uint8Array, request: RequestIndex): RequestIndex {
  const measured = request < 0 ? -1 : estimated.lastIndexOf(0, request);
  return measured < 0 ? request : measured;
}

/** The parts of a recorded series that size its items. */
export type SizedSeries = Pick<RecordedSeries, "context" | "byCategory" | "calibration" | keyof Membership>;

/**
 * Sizes of the rows that a request sent, which sum to the parts of its composition; 0 for all other rows. A context that no request sent has the
 * calibrated estimates of its rows.
 */
export function sentSizes(recording: CountedColumns, series: SizedSeries, point: RequestIndex): Int32Array {
  const rows = { point, isThere: (row: ItemIndex) => isMember(series, row, point) };
  if (point < 0 || point >= series.context.length) return sizesWithin(recording, series, rows);
  const { columns } = recording;
  const estimates = estimatesOf(recording, series, rows);
  const parts = series.byCategory.map((tokens) => tokens[point] ?? 0);
  // A profile moves overhead between its categories, and none of its own has a row.
  const overhead = apportion(
    sumBetween(parts, 0, OVERHEAD_COUNT),
    categorySums(columns, estimates).slice(0, OVERHEAD_COUNT),
  );
  return spread(columns, estimates, parts.toSpliced(0, OVERHEAD_COUNT, ...overhead));
}

/** Rows of a context, with the request that decides which of them are cleared. */
interface ContextRows {
  readonly point: RequestIndex;
  readonly isThere: (row: ItemIndex) => boolean;
}

/**
 * Sizes of the rows of a context, 0 for all other rows.
 * @param total its recorded size, which is divided like that of a request; without it the rows have their calibrated estimates
 */
export function sizesWithin(
  recording: CountedColumns,
  series: SizedSeries,
  rows: ContextRows,
  total: Tokens = 0,
): Int32Array {
  const { columns } = recording;
  const estimates = estimatesOf(recording, series, rows);
  const parts = categorySums(columns, estimates);
  const factor = plausibleFactor(series.calibration);
  const estimated = sumBetween(parts, 0, parts.length);
  shareOut(total > 0 ? total : Math.ceil(estimated * Math.max(1, factor ?? 1)), parts, factor);
  return spread(columns, estimates, parts);
}

function estimatesOf(
  { columns, tokens }: CountedColumns,
  membership: Membership,
  { point, isThere }: ContextRows,
): Int32Array {
  const sizeOf = (row: ItemIndex) => (isThere(row) ? tokensAt(membership, tokens, row, point) : 0);
  return Int32Array.from({ length: columns.length }, (_, row) => sizeOf(row));
}

function categorySums(columns: SessionColumns, estimates: Int32Array): Tokens[] {
  const sums: Tokens[] = ITEM_CATEGORIES.map(() => 0);
  estimates.forEach((tokens, row) => {
    const category = columns.category[row] ?? 0;
    sums[category] = (sums[category] ?? 0) + tokens;
  });
  return sums;
}

/** Divides each category's tokens among its rows by their estimates. */
function spread(columns: SessionColumns, estimates: Int32Array, parts: readonly Tokens[]): Int32Array {
  const rows: ItemIndex[][] = parts.map(() => []);
  estimates.forEach((tokens, row) => {
    if (tokens > 0) rows[columns.category[row] ?? 0]?.push(row);
  });
  const sizes = new Int32Array(columns.length);
  for (const [category, own] of rows.entries()) {
    const shares = apportion(
      parts[category] ?? 0,
      own.map((row) => estimates[row] ?? 0),
    );
    for (const [at, row] of own.entries()) sizes[row] = shares[at] ?? 0;
  }
  return sizes;
}

function sumBetween(values: readonly Tokens[], from: number, to: number): Tokens {
  let sum = 0;
  for (let at = from; at < to; at++) sum += values[at] ?? 0;
  return sum;
}
