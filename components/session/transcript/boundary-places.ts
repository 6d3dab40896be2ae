/**
 * Ordinals of the boundaries between two items, as a half-open range. It is found by bisection: when a slider moves
 * thousands of boundaries, the list only works on the rows in view.
 * @param count how many boundaries there are
 * @param after the boundaries stand behind this item
 * @param last and before or at this one
 * @param place the item that the boundary of an ordinal stands before, ascending
 */
export function boundariesBefore(
  count: number,
  place: (ordinal: number) => number,
  after: number,
  last: number,
): readonly [number, number] {
  return [
    firstOrdinal(count, (ordinal) => place(ordinal) > after),
    firstOrdinal(count, (ordinal) => place(ordinal) > last),
  ];
}

/** The first ordinal from which a condition holds; `count` where it never does. */
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
