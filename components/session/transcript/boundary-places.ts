/**
 * Ordinals of the boundaries that stand directly before an item: a half-open range. By bisection, so that a slider that
 * moves thousands of boundaries costs the list nothing but the rows in view.
 * @param count how many boundaries there are
 * @param place the item before which the boundary of an ordinal stands, ascending
 */
export function boundariesBefore(
  count: number,
  place: (ordinal: number) => number,
  item: number,
): readonly [number, number] {
  return [
    firstOrdinal(count, (ordinal) => place(ordinal) >= item),
    firstOrdinal(count, (ordinal) => place(ordinal) > item),
  ];
}

/** The first ordinal from which on a condition holds, `count` where it never does. */
function firstOrdinal(count: number, holds: (ordinal: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
