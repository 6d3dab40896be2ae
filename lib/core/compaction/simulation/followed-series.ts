import type { ContextSeries } from "../../context/series";
import type { BlankColumns } from "./blank-columns";

/** A recorded series, and for how many of its first points the replay followed it. */
export interface Followed {
  readonly series: ContextSeries;
  readonly points: number;
}

/** The series of a replay: the recorded one as far as the recording was followed, from there on an estimate. */
export function seriesOf(
  context: Int32Array,
  byCategory: readonly Int32Array[],
  blank: BlankColumns,
  followed: Followed | undefined,
): ContextSeries {
  if (followed === undefined) return { context, estimated: blank.always, byCategory, unattributed: blank.nothing };
  const { series, points } = followed;
  const [estimated, unattributed] = [blank.always.slice(), blank.nothing.slice()];
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
