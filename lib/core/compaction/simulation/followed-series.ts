import type { ContextSeries } from "../../context/series";
import type { BlankColumns } from "./blank-columns";

/** A recorded series, and for how many of its first points the replay followed it. */
export interface Followed {
  readonly series: ContextSeries;
  readonly points: number;
}

/** A replay's series beside the context and its parts: the recorded one as far as the recording was followed, from there on an estimate. */
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

/** The context by category, recorded as far as the recording was followed. @param simulated of every point, which is left as it is */
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
