import type { ContextSeries } from "../context/series";

/** A series, and how many of its first points hold. */
export interface Followed {
  readonly series: ContextSeries;
  readonly points: number;
}

/** The series of a replay: as recorded where the recording was followed, behind that an estimate. */
export function seriesOf(context: Int32Array, byCategory: Int32Array[], followed: Followed | undefined): ContextSeries {
  const estimated = new Uint8Array(context.length).fill(1);
  const unattributed = new Int32Array(context.length);
  if (followed === undefined) return { context, estimated, byCategory, unattributed };
  const { series, points } = followed;
  estimated.set(series.estimated.subarray(0, points));
  unattributed.set(series.unattributed.subarray(0, points));
  const columns = byCategory.map((column, code) => {
    const recorded = series.byCategory[code]?.subarray(0, points);
    const own = Int32Array.from(column);
    if (recorded !== undefined) own.set(recorded);
    return own;
  });
  return { context, estimated, byCategory: columns, unattributed };
}
