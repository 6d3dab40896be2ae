import type { Tokens } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import { pointCount } from "../columns/points";
import { CategoryChanges } from "../context/series";
import type { Trajectory } from "./trajectory";

/** What the trajectory's items bring as they enter, whatever the policy. */
export interface Entries {
  /** Tokens of the items before every position of the trajectory, its end among them. */
  readonly before: Float64Array;
  /** What they change of each category at every point. */
  readonly changes: CategoryChanges;
}

const cache = new WeakMap<Int32Array, { readonly trajectory: Trajectory; readonly entries: Entries }>();

/**
 * The entries of a trajectory at given sizes: made once, every replay of the session with those sizes starts from them.
 * @param sizes of every row as it enters; not to be written afterwards
 */
export function entriesOf(columns: SessionColumns, trajectory: Trajectory, sizes: Int32Array): Entries {
  const known = cache.get(sizes);
  if (known?.trajectory === trajectory) return known.entries;
  const entries = { before: tokensBefore(trajectory, sizes), changes: changesOf(columns, trajectory, sizes) };
  cache.set(sizes, { trajectory, entries });
  return entries;
}

function tokensBefore({ items }: Trajectory, sizes: Int32Array): Float64Array {
  const before = new Float64Array(items.length + 1);
  let sum: Tokens = 0;
  for (let position = 0; position < items.length; position++) {
    sum += sizes[items[position] ?? 0] ?? 0;
    before[position + 1] = sum;
  }
  return before;
}

/** A point is entered by what was sent with it and, behind it, by the response before it. */
function changesOf(columns: SessionColumns, { items, end }: Trajectory, sizes: Int32Array): CategoryChanges {
  const changes = new CategoryChanges(pointCount(columns));
  let position = 0;
  for (let point = 0; point < end.length; point++) {
    for (; position < (end[point] ?? 0); position++) {
      const row = items[position] ?? 0;
      changes.add(columns.category[row] ?? 0, sizes[row] ?? 0, point);
    }
  }
  return changes;
}
