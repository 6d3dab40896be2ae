/** Sum of all values; 0 if there are none. */
export function sumOf(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** Mean of all values; NaN if there are none. */
export function meanOf(values: readonly number[]): number {
  return sumOf(values) / values.length;
}

/** Whole numbers from `from` up to, but not including, `to`. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

/** Index of the first ascending value that is not below the limit; the number of values if all are below it. */
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
