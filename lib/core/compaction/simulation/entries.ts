import type { Tokens } from "../../base/units";
import type { SessionColumns } from "../../columns/columns";
import { pointCount } from "../../columns/points";
import { CategoryChanges } from "./category-changes";
import type { Trajectory } from "./trajectory";

/** Tokens that the overhead and the trajectory's items add to the context as they enter, under any policy. */
export interface Entries {
  /**
   * Tokens of the items before every position of the trajectory, including its end, modulo 2³². The difference of two is exact as a 32-bit integer.
   */
  readonly before: Int32Array;
  /** Tokens of each category at every point if nothing ever leaves. */
  readonly sums: readonly Int32Array[];
}

const cache = new WeakMap<Int32Array, { readonly trajectory: Trajectory; readonly entries: Entries }>();

/**
 * Entries of a trajectory at given sizes. They are computed once; every replay of the session with those sizes starts from them.
 * @param sizes of every row as it enters; do not write to them afterwards
 */
export function entriesOf(columns: SessionColumns, trajectory: Trajectory, sizes: Int32Array): Entries {
  const known = cache.get(sizes);
  if (known?.trajectory === trajectory) return known.entries;
  const entries = { before: tokensBefore(trajectory, sizes), sums: sumsOf(columns, trajectory, sizes) };
  cache.set(sizes, { trajectory, entries });
  return entries;
}

function tokensBefore({ items }: Trajectory, sizes: Int32Array): Int32Array {
  const before = new Int32Array(items.length + 1);
  let sum: Tokens = 0;
  for (let position = 0; position < items.length; position++) {
    sum = (sum + (sizes[items[position] ?? 0] ?? 0)) | 0;
    before[position + 1] = sum;
  }
  return before;
}

/** Tokens of each category at every point if nothing ever leaves. A response enters with the next request, like that request's other new items. */
function sumsOf(columns: SessionColumns, { items, end }: Trajectory, sizes: Int32Array): readonly Int32Array[] {
  const { category, overheadRows } = columns;
  const changes = new CategoryChanges(pointCount(columns));
  for (let row = 0; row < overheadRows; row++) changes.add(category[row] ?? 0, sizes[row] ?? 0, 0);
  let position = 0;
  for (let point = 0; point < end.length; point++) {
    for (; position < (end[point] ?? 0); position++) {
      const row = items[position] ?? 0;
      changes.add(category[row] ?? 0, sizes[row] ?? 0, point);
    }
  }
  return changes.sums();
}
