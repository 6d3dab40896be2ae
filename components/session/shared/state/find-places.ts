/** The next place behind, or with −1 before, an item; beyond the last one it begins again. `undefined` where there is none. */
export function nextPlace(places: readonly number[], item: number, by: 1 | -1): number | undefined {
  const behind = firstBehind(places, item);
  if (by === 1) return places[behind] ?? places[0];
  const before = places[behind - 1] === item ? behind - 2 : behind - 1;
  return places[before] ?? places.at(-1);
}

/** Which of the places an item is, counted from 1; 0 where it is none. */
export function placeNumber(places: readonly number[], item: number): number {
  const behind = firstBehind(places, item);
  return places[behind - 1] === item ? behind : 0;
}

/** Where the first place behind an item stands in the list, found by bisection. */
function firstBehind(places: readonly number[], item: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) > item) high = middle;
    else low = middle + 1;
  }
  return low;
}
