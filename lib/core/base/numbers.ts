/** The sum of all values; 0 where there are none. */
export function sumOf(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** The mean of all values; NaN where there are none. */
export function meanOf(values: readonly number[]): number {
  return sumOf(values) / values.length;
}

/** The whole numbers from one up to another, which is not among them; none where that one is not larger. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

/** Index of the first of the ascending values that is not below the limit; the number of values if all are below it. */
export function lowerBound(values: ArrayLike<number>, limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
