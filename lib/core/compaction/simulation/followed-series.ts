import type { ContextSeries } from "../../context/series";
import type { BlankColumns } from "./blank-columns";

/** A recorded series, and the number of its first points that the replay followed. */
export interface Followed {
  readonly series: ContextSeries;
  readonly points: number;
}

/** The series `estimated` and `unattributed` of a replay: recorded values while the recording was followed, then estimated ones. */
export function followedSeries(
  blank: BlankColumns,
  followed: Followed | undefined,
): Pick<ContextSeries, "estimated" | "unattributed"> {
  if (followed === undefined) return { estimated: blank.always, unattributed: blank.nothing };
  const { series, points } = followed;
  const [estimated, unattributed] = [blank.always.slice(), blank.nothing.slice()];
  estimated.set(series.estimated.subarray(0, points));
  unattributed.set(series.unattributed.subarray(0, points));
  return { estimated, unattributed };
}

/**
 * Context by category: recorded while the recording was followed, then simulated.
 * @param simulated of every point; not written to
 */
export function followedCategories(
  simulated: readonly Int32Array[],
  followed: Followed | undefined,
): readonly Int32Array[] {
  if (followed === undefined) return simulated;
  const { series, points } = followed;
  return simulated.map((column, code) => {
    const recorded = series.byCategory[code]?.subarray(0, points);
    const own = column.slice();
    if (recorded !== undefined) own.set(recorded);
    return own;
  });
}
